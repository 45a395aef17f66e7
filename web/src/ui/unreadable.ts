/**
 * The first field with unreadable text (an amount of "10%", 31 February). Its value is empty, so saving would lose the
 * text. Fields mark this with `data-unreadable`.
 */
export const findUnreadableField = (form: Element | null) => form?.querySelector("[data-unreadable]")

/** Focuses the first unreadable field; returns whether there is one. */
export function focusUnreadableField(form: Element | null): boolean {
  const field = findUnreadableField(form)
  field?.scrollIntoView?.({ block: "nearest" })
  return field != null
}
