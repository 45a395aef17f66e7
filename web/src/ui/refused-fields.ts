import { invalidFieldsOf } from "../platform/errors.ts"

/**
 * For a form that contains a part of a command's input: removes the part's prefix from INVALID paths and rethrows the
 * refusal.
 *
 *     save={(values) => update.mutateAsync({ …, personal: values }).catch(refusedIn("personal"))}
 */
export const rethrowFieldErrors =
  (place: string) =>
  (error: unknown): never => {
    const prefix = `${place}.`
    for (const field of invalidFieldsOf(error)) {
      if (field.path.startsWith(prefix)) field.path = field.path.slice(prefix.length)
    }
    throw error
  }
