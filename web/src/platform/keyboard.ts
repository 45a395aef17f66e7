import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from "react"

/** Return false to leave the key to the browser. */
export type KeyAction = (event: KeyboardEvent) => unknown

const storageKey = "milkwood-single-keys"
const listeners = new Set<() => void>()

function read(): boolean {
  try {
    return localStorage.getItem(storageKey) !== "off"
  } catch {
    return true
  }
}

let on = read()

export const singleKeys = {
  get on() {
    return on
  },
  set(next: boolean) {
    on = next
    try {
      localStorage.setItem(storageKey, next ? "on" : "off")
    } catch {}
    for (const listener of listeners) listener()
  },
}

export function useSingleKeys(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => on,
  )
}

const typing = "input, textarea, select, [contenteditable=true], [role=textbox], [role=combobox]"
const openLayer = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox]"
/** A closed dropdown stays in the page, hidden; other layers pass their keys on. */
const passiveLayers = "[data-keys-pass], [hidden], [style*='display: none'], [style*='display:none']"

const isDialogOpen = () => document.querySelector("[role=dialog], [role=alertdialog]") !== null

let layerOpen = false

const isLayerOpen = () => [...document.querySelectorAll(openLayer)].some((layer) => !layer.closest(passiveLayers))

/**
 * The field being typed in, until the user leaves it. A live update may remove the field mid-word; the rest of the word
 * must not trigger shortcuts.
 */
let typingIn: Element | undefined

function followTyping(event: KeyboardEvent) {
  const { target, key } = event
  const newLine = key === "Enter" && target instanceof HTMLTextAreaElement
  if (event.ctrlKey || event.metaKey || key === "Escape" || key === "Tab" || (key === "Enter" && !newLine)) {
    typingIn = undefined
  } else if (isField(target)) typingIn = target
}

const isField = (target: EventTarget | null): target is Element =>
  target instanceof Element &&
  target.closest(typing) !== null &&
  !(target instanceof HTMLInputElement && target.type === "checkbox")

function isTaken(event: KeyboardEvent): boolean {
  return isField(event.target) || typingIn?.isConnected === false || layerOpen
}

let leader: { key: string; at: number } | undefined

function nameOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  if (event.ctrlKey || event.metaKey) return `mod+${key}`
  return key === " " ? "Space" : key
}

/**
 * Keyboard shortcuts of a mounted page or component. The one mounted last is asked first.
 *
 *     useKeys({ n: () => navigate({ to: "/claims/new" }), "mod+s": save, "g c": () => … })
 *
 * Single keys do nothing while the user types, while a dialog or menu is open, or if they are switched off. While a
 * dialog is open, the page's save and primary action are inactive; a dialog uses `place` "dialog".
 */
export function useKeys(map: Record<string, KeyAction | undefined>, enabled = true, place: "page" | "dialog" = "page") {
  const latest = useRef(map)
  latest.current = map
  useEffect(() => {
    if (!enabled) return
    const act = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.altKey) return
      const name = nameOf(event)
      const action = latest.current[pairOf(event, name)] ?? latest.current[name]
      if (!action) return
      if (name === "Escape" ? layerOpen : !name.startsWith("mod+") && (!on || isTaken(event))) return
      if (place === "page" && (name === "mod+s" || name === "mod+Enter") && isDialogOpen()) return
      if (action(event) !== false) event.preventDefault()
    }
    stack.unshift(act)
    return () => {
      stack.splice(stack.indexOf(act), 1)
    }
  }, [enabled, place])
}

function pairOf(event: KeyboardEvent, name: string): string {
  if (leader && event.timeStamp - leader.at < 1_500) return `${leader.key} ${name}`
  return name
}

const stack: ((event: KeyboardEvent) => void)[] = []

function askAll(event: KeyboardEvent) {
  for (const act of [...stack]) {
    act(event)
    if (event.defaultPrevented) break
  }
}

let covered = false

export const isCovered = (): boolean => covered

export function coverPage(): () => void {
  const layers = document.getElementById("layers")
  const show = (under: boolean) => {
    covered = under
    if (layers) layers.hidden = under
  }
  show(true)
  return () => show(false)
}

const closing: (() => void)[] = []

/**
 * Escape closes this component if it was opened last, and nothing else. Mantine would also close the dialog or popover
 * around it.
 *
 *     useEscape(close, opened)
 */
export function useEscape(close: () => void, opened: boolean): void {
  const latest = useEffectEvent(close)
  useEffect(() => {
    if (!opened) return
    const act = () => latest()
    closing.push(act)
    return () => {
      closing.splice(closing.indexOf(act), 1)
    }
  }, [opened])
}

function closeLast(event: KeyboardEvent): boolean {
  if (event.key !== "Escape" || event.isComposing) return false
  if ((event.target as Element | null)?.matches?.("[data-mantine-stop-propagation=true]")) return false
  const close = closing.at(-1)
  close?.()
  return close !== undefined
}

let held: { text: string; entered: boolean } | undefined

export function holdKeys(): void {
  held = { text: "", entered: false }
}

export function takeKeys(): { text: string; entered: boolean } | undefined {
  const kept = held
  held = undefined
  return kept
}

function hold(event: KeyboardEvent): boolean {
  if (!held || event.ctrlKey || event.metaKey || event.altKey) return false
  if (event.key.length === 1) held.text += event.key
  else if (event.key === "Backspace") held.text = held.text.slice(0, -1)
  else if (event.key === "Enter") held.entered = true
  else return false
  event.preventDefault()
  return true
}

if (typeof window !== "undefined") {
  // The only key listener, before those of dialogs and fields. Order: a cover blocks keys; type-ahead is buffered;
  // Escape closes one layer; combinations act, because a dropdown would open at Ctrl Enter.
  window.addEventListener(
    "keydown",
    (event) => {
      if (covered || hold(event)) return event.stopImmediatePropagation()
      layerOpen = isLayerOpen()
      followTyping(event)
      if (closeLast(event)) return event.stopImmediatePropagation()
      if (!event.ctrlKey && !event.metaKey) return
      askAll(event)
      if (event.defaultPrevented) event.stopPropagation()
    },
    true,
  )
  window.addEventListener("pointerdown", () => {
    typingIn = undefined
  })
  window.addEventListener("focusin", () => {
    if (typingIn?.isConnected) typingIn = undefined
  })
  window.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey) askAll(event)
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !isTaken(event)
    leader = plain && event.key === "g" && !leader ? { key: "g", at: event.timeStamp } : undefined
  })
}

export const modKey = typeof navigator !== "undefined" && /mac|iphone|ipad/i.test(navigator.userAgent) ? "⌘" : "Ctrl"
