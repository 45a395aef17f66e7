// What browsers have and jsdom lacks: only what the parts of Mantine ask for.
window.matchMedia = (query: string) =>
  Object.assign(new EventTarget(), {
    // Nothing moves, so that nothing has to be waited for; one works at a desk, where fields have the focus from the start.
    matches: ["(prefers-reduced-motion: reduce)", "(pointer: fine)"].includes(query),
    media: query,
    onchange: null,
    addListener: () => {},
    removeListener: () => {},
  }) as MediaQueryList
// Node's own global of this name stands in the way of the window's.
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
