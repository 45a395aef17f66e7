import "../platform/before.ts"
import { cleanup, configure } from "@testing-library/react"
import { afterEach } from "vitest"
import { theme } from "../ui/theme.ts"

// Pages load their code when they are opened, and a failure needs no picture of the whole document.
configure({
  asyncUtilTimeout: 8_000,
  getElementError: (message) => Object.assign(new Error(message ?? ""), { name: "NotOnThePage" }),
})

// What browsers have and jsdom lacks: only what the parts of Mantine ask for.
window.matchMedia = (query: string) =>
  Object.assign(new EventTarget(), {
    // Nothing moves, so that nothing has to be waited for.
    matches: query === "(prefers-reduced-motion: reduce)",
    media: query,
    onchange: null,
    addListener: () => {},
    removeListener: () => {},
  }) as MediaQueryList
// Node's own global of this name stands in the way of the window's.
const { localStorage } = (globalThis as unknown as { jsdom: { window: Window } }).jsdom.window
Object.defineProperty(window, "localStorage", { value: localStorage })
Object.defineProperty(globalThis, "localStorage", { value: localStorage })
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
window.IntersectionObserver ??= class {
  readonly root = null
  readonly rootMargin = ""
  readonly scrollMargin = ""
  readonly thresholds = []
  observe() {}
  unobserve() {}
  disconnect() {}
  takeRecords() {
    return []
  }
}
Object.defineProperty(document, "fonts", { value: Object.assign(new EventTarget(), { ready: Promise.resolve() }) })
// Nothing has a size here, which Mantine takes for a button that is out of sight, and hides the menu that hangs on it.
Object.assign(theme.components ?? {}, { Popover: { defaultProps: { hideDetached: false } } })
Element.prototype.scrollIntoView = () => {}
window.scrollTo = () => {}

afterEach(() => {
  cleanup()
  window.localStorage.clear()
  window.sessionStorage.clear()
})
