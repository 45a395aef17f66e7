import "../platform/before.ts"
import "./window.ts"
import { cleanup, configure } from "@testing-library/react"
import { afterEach } from "vitest"
import { theme } from "../ui/theme.ts"

// Pages load their code when they are opened, and a failure needs no picture of the whole document.
configure({
  asyncUtilTimeout: 8_000,
  getElementError: (message) => Object.assign(new Error(message ?? ""), { name: "NotOnThePage" }),
})

// Nothing has a size here, which Mantine takes for a button that is out of sight, and hides the menu that hangs on it.
Object.assign(theme.components ?? {}, { Popover: { defaultProps: { hideDetached: false } } })

afterEach(() => {
  cleanup()
  // A field that was typed in when its page went holds the keys of the next one until Escape.
  window.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }))
  window.localStorage.clear()
  window.sessionStorage.clear()
})
