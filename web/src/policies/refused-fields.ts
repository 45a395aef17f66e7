import { invalidFields } from "../platform/errors.ts"

/**
 * For a form that contains a part of a command's input: removes the part's prefix from INVALID paths and rethrows the
 * refusal.
 *
 *     save={(values) => update.mutateAsync({ …, personal: values }).catch(refusedIn("personal"))}
 */
export const refusedIn =
  (place: string) =>
  (error: unknown): never => {
    const prefix = `${place}.`
    for (const field of invalidFields(error)) {
      if (field.path.startsWith(prefix)) field.path = field.path.slice(prefix.length)
    }
    throw error
  }
