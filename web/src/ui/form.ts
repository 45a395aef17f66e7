import { invalidFields, sayNoMore } from "../platform/errors.ts"

/** As much of a Mantine form as is needed to mark its fields. */
export interface RefusableForm {
  setErrors: (errors: Record<string, string>) => void
  getInputNode?: (path: string) => HTMLElement | null
}

/**
 * Marks the fields that an INVALID refusal names, and moves to the first. False for every other error, and where a
 * field that it names is not on the screen.
 *
 *     onError: (error) => showRefusedFields(form, error) || toast.error("Failed to create member", error)
 *
 * Paths are those of the command's input, so a form whose values have the input's shape needs no mapping; where they
 * differ, `rename` says how: `{ "contact.email": "contactEmail" }`.
 */
export function showRefusedFields(form: RefusableForm, error: unknown, rename: Record<string, string> = {}): boolean {
  const fields = invalidFields(error)
  if (fields.length === 0) return false
  const named = fields.map(({ path, message }) => ({ path: rename[path] ?? path, message }))
  form.setErrors(Object.fromEntries(named.map(({ path, message }) => [path, message])))
  const { getInputNode } = form
  const nodes = named.map(({ path }) => getInputNode?.(path))
  nodes.find(Boolean)?.focus()
  const isSaid = !getInputNode || nodes.every(Boolean)
  if (isSaid) sayNoMore(error)
  return isSaid
}

/** A check for a Mantine form: something must be given. Spaces are nothing. */
export const required =
  (message: string) =>
  (value: unknown): string | null =>
    value === null || value === undefined || (typeof value === "string" && value.trim() === "") ? message : null

/** A check for a Mantine form: an amount above nothing, in cents. */
export const positiveAmount = (cents: number | null): string | null =>
  cents === null || cents <= 0 ? "Give an amount of more than 0" : null

/** After a form was not taken: the keyboard goes to its first wrong field, once that is marked. */
export function toFirstError(form: HTMLElement | null) {
  setTimeout(() => form?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus())
}
