/**
 * Whether a form holds a field that cannot be read (an amount of "10%", a day of 31 February), and shows it: its value is taken for empty, and
 * saving would lose what was typed without a word. Fields say so by `data-unreadable`, with a sentence below them.
 */
export function showUnreadable(form: Element | null): boolean {
  const field = form?.querySelector("[data-unreadable]")
  field?.scrollIntoView?.({ block: "nearest" })
  return field != null
}
