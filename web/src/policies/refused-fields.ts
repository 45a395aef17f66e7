import { invalidFields } from "../platform/errors.ts"

/**
 * For a form that holds a part of a command's input: takes the part's place off the paths of an INVALID refusal, so
 * that they name the form's own fields. Throws the refusal on.
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
