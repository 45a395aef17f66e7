import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from "react"

/** Return false to leave the key to the browser. */
export type KeyAction = (event: KeyboardEvent) => unknown

const singleKeysStorageKey = "milkwood-single-keys"
const listeners = new Set<() => void>()

function readStoredSetting(): boolean {
  try {
    return localStorage.getItem(singleKeysStorageKey) !== "off"
  } catch {
    return true
  }
}

let isEnabled = readStoredSetting()

export const singleKeys = {
  get on() {
    return isEnabled
  },
  set(next: boolean) {
    isEnabled = next
    try {
      localStorage.setItem(singleKeysStorageKey, next ? "on" : "off")
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
    () => isEnabled,
  )
}

const typingSelector = "input, textarea, select, [contenteditable=true], [role=textbox], [role=combobox]"
const openLayerSelector = "[role=dialog], [role=alertdialog], [role=menu], [role=listbox]"
/** Layers that do not block shortcuts: a closed dropdown is still in the page, hidden. */
const passiveLayerSelector = "[data-keys-pass], [hidden], [style*='display: none'], [style*='display:none']"

const isDialogOpen = () => document.querySelector("[role=dialog], [role=alertdialog]") !== null

let wasLayerOpen = false

const isLayerOpen = () =>
  [...document.querySelectorAll(openLayerSelector)].some((layer) => !layer.closest(passiveLayerSelector))

/**
 * The field that the user types in. A live update may remove the field mid-word; the rest of the word must not trigger
 * shortcuts.
 */
let typingElement: Element | undefined

function trackTyping(event: KeyboardEvent) {
  const { target, key } = event
  const newLine = key === "Enter" && target instanceof HTMLTextAreaElement
  if (event.ctrlKey || event.metaKey || key === "Escape" || key === "Tab" || (key === "Enter" && !newLine)) {
    typingElement = undefined
  } else if (isField(target)) typingElement = target
}

const isField = (target: EventTarget | null): target is Element =>
  target instanceof Element &&
  target.closest(typingSelector) !== null &&
  !(target instanceof HTMLInputElement && target.type === "checkbox")

function isKeyTaken(event: KeyboardEvent): boolean {
  return isField(event.target) || typingElement?.isConnected === false || wasLayerOpen
}

let leaderKey: { key: string; at: number } | undefined

function keyNameOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  if (event.ctrlKey || event.metaKey) return `mod+${key}`
  return key === " " ? "Space" : key
}

/**
 * Keyboard shortcuts of a mounted page or component. The component mounted last has precedence.
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
      const name = keyNameOf(event)
      const action = latest.current[keyPairOf(event, name)] ?? latest.current[name]
      if (!action) return
      if (name === "Escape" ? wasLayerOpen : !name.startsWith("mod+") && (!isEnabled || isKeyTaken(event))) return
      if (place === "page" && (name === "mod+s" || name === "mod+Enter") && isDialogOpen()) return
      if (action(event) !== false) event.preventDefault()
    }
    keyHandlers.unshift(act)
    return () => {
      keyHandlers.splice(keyHandlers.indexOf(act), 1)
    }
  }, [enabled, place])
}

function keyPairOf(event: KeyboardEvent, name: string): string {
  if (leaderKey && event.timeStamp - leaderKey.at < 1_500) return `${leaderKey.key} ${name}`
  return name
}

const keyHandlers: ((event: KeyboardEvent) => void)[] = []

function dispatchKey(event: KeyboardEvent) {
  for (const act of [...keyHandlers]) {
    act(event)
    if (event.defaultPrevented) break
  }
}

let isPageCovered = false

export const isCovered = (): boolean => isPageCovered

export function coverPage(): () => void {
  const layers = document.getElementById("layers")
  const show = (under: boolean) => {
    isPageCovered = under
    if (layers) layers.hidden = under
  }
  show(true)
  return () => show(false)
}

const escapeHandlers: (() => void)[] = []

/**
 * Escape closes only this component, if it was opened last. Mantine would also close the dialog or popover around it.
 *
 *     useEscape(close, opened)
 */
export function useEscape(close: () => void, opened: boolean): void {
  const latest = useEffectEvent(close)
  useEffect(() => {
    if (!opened) return
    const act = () => latest()
    escapeHandlers.push(act)
    return () => {
      escapeHandlers.splice(escapeHandlers.indexOf(act), 1)
    }
  }, [opened])
}

function closeLastOpened(event: KeyboardEvent): boolean {
  if (event.key !== "Escape" || event.isComposing) return false
  if ((event.target as Element | null)?.matches?.("[data-mantine-stop-propagation=true]")) return false
  const close = escapeHandlers.at(-1)
  close?.()
  return close !== undefined
}

let bufferedKeys: { text: string; entered: boolean } | undefined

export function startBufferingKeys(): void {
  bufferedKeys = { text: "", entered: false }
}

export function takeBufferedKeys(): { text: string; entered: boolean } | undefined {
  const kept = bufferedKeys
  bufferedKeys = undefined
  return kept
}

function bufferKey(event: KeyboardEvent): boolean {
  if (!bufferedKeys || event.ctrlKey || event.metaKey || event.altKey) return false
  if (event.key.length === 1) bufferedKeys.text += event.key
  else if (event.key === "Backspace") bufferedKeys.text = bufferedKeys.text.slice(0, -1)
  else if (event.key === "Enter") bufferedKeys.entered = true
  else return false
  event.preventDefault()
  return true
}

if (typeof window !== "undefined") {
  // The only key listener; it runs before those of dialogs and fields. Order: a covered page blocks keys; type-ahead is
  // buffered; Escape closes one layer; key combinations act. Without this order Ctrl+Enter would open a dropdown.
  window.addEventListener(
    "keydown",
    (event) => {
      if (isPageCovered || bufferKey(event)) return event.stopImmediatePropagation()
      wasLayerOpen = isLayerOpen()
      trackTyping(event)
      if (closeLastOpened(event)) return event.stopImmediatePropagation()
      if (!event.ctrlKey && !event.metaKey) return
      dispatchKey(event)
      if (event.defaultPrevented) event.stopPropagation()
    },
    true,
  )
  window.addEventListener("pointerdown", () => {
    typingElement = undefined
  })
  window.addEventListener("focusin", () => {
    if (typingElement?.isConnected) typingElement = undefined
  })
  window.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey) dispatchKey(event)
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !isKeyTaken(event)
    leaderKey = plain && event.key === "g" && !leaderKey ? { key: "g", at: event.timeStamp } : undefined
  })
}

export const modKey = typeof navigator !== "undefined" && /mac|iphone|ipad/i.test(navigator.userAgent) ? "⌘" : "Ctrl"
