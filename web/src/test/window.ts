// Stubs the browser APIs that jsdom lacks and Mantine needs.
window.matchMedia = (query: string) =>
  Object.assign(new EventTarget(), {
    // Reduced motion: no waiting for transitions. Fine pointer: fields get focus at once.
    matches: ["(prefers-reduced-motion: reduce)", "(pointer: fine)"].includes(query),
    media: query,
    onchange: null,
    addListener: () => {},
    removeListener: () => {},
  }) as MediaQueryList
// Node's global of the same name hides jsdom's.
const { localStorage: storage } = (globalThis as unknown as { jsdom: { window: Window } }).jsdom.window
Object.defineProperty(window, "localStorage", { value: storage })
Object.defineProperty(globalThis, "localStorage", { value: storage })
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
Element.prototype.scrollIntoView = () => {}
window.scrollTo = () => {}
