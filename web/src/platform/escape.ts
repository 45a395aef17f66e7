import { useEffect, useEffectEvent } from "react"

const open: (() => void)[] = []

if (typeof window !== "undefined") {
  // Before the dialogs themselves listen: each would close, the one below with the one on top.
  const closeLast = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.isComposing) return
    // An open list of choices or menu is closed first, by itself.
    if ((event.target as Element | null)?.matches?.("[data-mantine-stop-propagation=true]")) return
    const close = open.at(-1)
    if (!close) return
    event.stopImmediatePropagation()
    close()
  }
  window.addEventListener("keydown", closeLast, { capture: true })
}

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
    open.push(act)
    return () => {
      open.splice(open.indexOf(act), 1)
    }
  }, [opened])
}
