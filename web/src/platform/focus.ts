import { useEffect } from "react"

/**
 * If the focused element disappears, moves the focus to a useful place instead of the document's top:
 *
 * - after a dialog, menu or message: to the previously focused element, such as the menu's button;
 * - otherwise to the page;
 * - a button that was disabled while busy gets the focus back.
 */
export function useRestoredFocus(): void {
  useEffect(() => {
    let onPage: HTMLElement | undefined
    let inLayers: HTMLElement[] = []

    const entered = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return
      if (target.closest("#layers")) {
        inLayers = [...inLayers.filter((other) => other.isConnected && other !== target), target]
      } else {
        onPage = target
        inLayers = []
      }
    }
    const left = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget) return
      // Some browsers fire this event before they remove the element.
      queueMicrotask(() => {
        const last = inLayers.at(-1) ?? onPage
        if (!isFocusLost() || !last?.isConnected || last.matches(":disabled")) return
        if (last.closest("[aria-modal=true]")) return last.focus({ preventScroll: true })
        onPage = undefined
        inLayers = []
      })
    }
    const changed = () => {
      const last = inLayers.at(-1) ?? onPage
      if (!last || !isFocusLost() || (last.isConnected && last.matches(":disabled"))) return
      const dialog = [...document.querySelectorAll<HTMLElement>("#layers [aria-modal=true]")].at(-1)
      const places = [...inLayers.toReversed(), dialog, onPage, document.getElementById("page")]
      for (const place of places) {
        place?.focus({ preventScroll: true })
        if (!isFocusLost()) return
      }
    }

    const observer = new MutationObserver(changed)
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled"] })
    document.addEventListener("focusin", entered)
    document.addEventListener("focusout", left)
    return () => {
      observer.disconnect()
      document.removeEventListener("focusin", entered)
      document.removeEventListener("focusout", left)
    }
  }, [])
}

const isFocusLost = () => document.activeElement === document.body
