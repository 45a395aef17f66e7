import { invalidFieldsOf, markErrorShown } from "../platform/errors.ts"

export interface RefusableForm {
  setErrors: (errors: Record<string, string>) => void
  getInputNode?: (path: string) => HTMLElement | null
}

/**
 * Marks the fields of an INVALID refusal and focuses the first. Returns false for other errors, or if a field is not on
 * the screen.
 *
 *     onError: (error) => showRefusedFields(form, error) || toast.error("Failed to create member", error)
 *
 * Paths are those of the command's input; `rename` maps the ones that differ: `{ "contact.email": "contactEmail" }`.
 */
export function showRefusedFields(form: RefusableForm, error: unknown, rename: Record<string, string> = {}): boolean {
  const fields = invalidFieldsOf(error)
  if (fields.length === 0) return false
  const named = fields.map(({ path, message }) => ({ path: rename[path] ?? path, message }))
  form.setErrors(Object.fromEntries(named.map(({ path, message }) => [path, message])))
  const { getInputNode } = form
  const nodes = named.map(({ path }) => getInputNode?.(path))
  nodes.find(Boolean)?.focus()
  const isSaid = !getInputNode || nodes.every(Boolean)
  if (isSaid) markErrorShown(error)
  return isSaid
}

export const requireText =
  (message: string) =>
  (value: unknown): string | null =>
    value === null || value === undefined || (typeof value === "string" && value.trim() === "") ? message : null

export const validatePositiveAmount = (cents: number | null): string | null =>
  cents === null || cents <= 0 ? "Enter an amount above zero" : null

export function focusFirstError(form: HTMLElement | null) {
  setTimeout(() => form?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus())
}
