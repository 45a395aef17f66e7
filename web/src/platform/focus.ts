import { useEffect } from "react"

/**
 * Where what had the focus goes away, the keyboard goes on from the right place, and not from the top of the document:
 *
 * - in or after a dialog, menu or message: from what had the focus before and is still there, such as the button of
 *   the menu that led to the dialog;
 * - on the page, and where that is gone too: from the page;
 * - a button that could not be pressed while it was busy has the focus again when it can be.
 */
export function useFocusKept(): void {
  useEffect(() => {
    /** What had the focus last on the page, and since then in what lies over it. */
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
      // Some browsers say this before they remove what had the focus.
      queueMicrotask(() => {
        const last = inLayers.at(-1) ?? onPage
        if (!isLost() || !last?.isConnected || last.matches(":disabled")) return
        // A click beside a dialog that stays leaves the keyboard in it.
        if (last.closest("[aria-modal=true]")) return last.focus({ preventScroll: true })
        onPage = undefined
        inLayers = []
      })
    }
    const changed = () => {
      const last = inLayers.at(-1) ?? onPage
      if (!last || !isLost() || (last.isConnected && last.matches(":disabled"))) return
      const dialog = [...document.querySelectorAll<HTMLElement>("#layers [aria-modal=true]")].at(-1)
      const places = [...inLayers.toReversed(), dialog, onPage, document.getElementById("page")]
      for (const place of places) {
        place?.focus({ preventScroll: true })
        if (!isLost()) return
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

const isLost = () => document.activeElement === document.body
