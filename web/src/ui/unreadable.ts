/**
 * The first field of a form that cannot be read (an amount of "10%", a day of 31 February): its value is taken for
 * empty. Fields say so by `data-unreadable`, with a sentence below them.
 */
export const unreadableIn = (form: Element | null) => form?.querySelector("[data-unreadable]")

/** Whether a form holds such a field, and shows it: saving would lose what was typed without a word. */
export function showUnreadable(form: Element | null): boolean {
  const field = unreadableIn(form)
  field?.scrollIntoView?.({ block: "nearest" })
  return field != null
}
