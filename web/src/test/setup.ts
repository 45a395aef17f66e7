import "../platform/before.ts"
import "./window.ts"
import { cleanup, configure } from "@testing-library/react"
import { afterEach } from "vitest"
import { theme } from "../ui/theme.ts"

// Pages load code when opened, which takes time. DOM dumps on failure do not help here.
configure({
  asyncUtilTimeout: 8_000,
  getElementError: (message) => Object.assign(new Error(message ?? ""), { name: "NotOnThePage" }),
})

// jsdom has no layout, so Mantine would treat the button as out of view and hide its menu.
Object.assign(theme.components ?? {}, { Popover: { defaultProps: { hideDetached: false } } })

afterEach(() => {
  cleanup()
  // A field of an unmounted page would keep handling keys until Escape.
  window.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }))
  window.localStorage.clear()
  window.sessionStorage.clear()
})
