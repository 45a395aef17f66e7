let covered = false

if (typeof window !== "undefined") {
  // Before anything else listens: Escape would close a dialog that nobody sees, and lose what was typed in it.
  const keep = (event: KeyboardEvent) => {
    if (covered) event.stopImmediatePropagation()
  }
  window.addEventListener("keydown", keep, { capture: true })
}

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
