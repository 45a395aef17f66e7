import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from "react"

/** What a key does. Returning false leaves the key to the browser. */
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

/** Whether single keys (j, k, n, ?) act; each person may switch them off. Ctrl and ⌘ combinations always act. */
export const singleKeys = {
  get on() {
    return on
  },
  set(next: boolean) {
    on = next
    try {
      localStorage.setItem(storageKey, next ? "on" : "off")
    } catch {
      // Without storage the choice lasts until the page is closed.
    }
    for (const listener of listeners) listener()
  },
}

/** The switch, for the dialog that shows the keys. */
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
/** A list of choices that is closed stays in the page, hidden, as does what passes its keys on. */
const notInTheWay = "[data-keys-pass], [hidden], [style*='display: none'], [style*='display:none']"

const isDialogOpen = () => document.querySelector("[role=dialog], [role=alertdialog]") !== null

/** Whether something was open over the page as the key was pressed: Escape may have closed it since. */
let layerOpen = false

const isLayerOpen = () => [...document.querySelectorAll(openLayer)].some((layer) => !layer.closest(notInTheWay))

/**
 * The field that somebody types in, until they leave it themselves: by Enter, Escape, Tab, a combination or the mouse.
 * News may take a field away in the middle of a word, and the rest of the word is no shortcut.
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

/** Whether the person is typing, or a dialog or menu is open that has its own keys. */
function isTaken(event: KeyboardEvent): boolean {
  return isField(event.target) || typingIn?.isConnected === false || layerOpen
}

let leader: { key: string; at: number } | undefined

/** The name of a key press in a map: "j", "?", "g d" (two after each other), "mod+k", "mod+Enter", "Escape". */
function nameOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  if (event.ctrlKey || event.metaKey) return `mod+${key}`
  return key === " " ? "Space" : key
}

/**
 * Keys of a page or part, while it is mounted. The part mounted last is asked first.
 *
 *     useKeys({ n: () => navigate({ to: "/claims/new" }), "mod+s": save, "g c": () => … })
 *
 * Single keys do nothing while somebody types, also in a field that has gone from under them, while a dialog or menu is
 * open, or where they are switched off.
 * Saving and the primary action of a page rest while a dialog is open; a dialog's own say `place` "dialog".
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
      // Escape is nothing that one types.
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

/** "g c" when g was pressed within the last second and a half. */
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

/** Whether the page is out of sight: what asks there would ask nobody. */
export const isCovered = (): boolean => covered

/** Takes open dialogs out of sight, and keeps every key from what listens under the cover. Answers how to lift it. */
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
 * Escape closes this part of the screen while it is the one that was opened last, and nothing else with it: neither
 * the dialog below it nor the popover round it, which Mantine would close too.
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
  // An open list of choices or menu is closed first, by itself.
  if ((event.target as Element | null)?.matches?.("[data-mantine-stop-propagation=true]")) return false
  const close = closing.at(-1)
  close?.()
  return close !== undefined
}

let held: { text: string; entered: boolean } | undefined

/** What is typed from now on is kept for a field that is still on its way, until that takes it with `takeKeys`. */
export function holdKeys(): void {
  held = { text: "", entered: false }
}

/** What was typed meanwhile, and whether Enter came after it. */
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
  // The one place where keys come in, before dialogs and fields hear of them, in this order: what is covered hears
  // nothing; what is typed ahead is kept; Escape closes one thing; combinations act, for a list of choices would open
  // at Ctrl Enter.
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
    // Once the field has gone, it is the page that takes the focus (focus.ts), not the person who moves it.
    if (typingIn?.isConnected) typingIn = undefined
  })
  window.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey) askAll(event)
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !isTaken(event)
    leader = plain && event.key === "g" && !leader ? { key: "g", at: event.timeStamp } : undefined
  })
}

/** "⌘" on a Mac, "Ctrl" elsewhere, for labels. */
export const modKey = typeof navigator !== "undefined" && /mac|iphone|ipad/i.test(navigator.userAgent) ? "⌘" : "Ctrl"
