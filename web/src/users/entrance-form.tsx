import { useForm } from "@mantine/form"
import { type FormEvent, type ReactNode, useRef, useState } from "react"
import { errorTextOf } from "../platform/errors.ts"
import { showRefusedFields } from "../ui/form.ts"
import { ReasonList } from "./notice.tsx"
import { passwordWeaknessesOf } from "./users.api.ts"

export const fillAllFieldsMessage = "Please fill in all fields"

interface EntranceFormOptions<Values extends Record<string, unknown>> {
  initialValues: Values
  /** Required fields by path, in page order. */
  required: readonly string[]
  /** Names of the required fields, for messages on a form that also has optional fields. */
  names?: Readonly<Record<string, string>>
  /** Checks other rules; returns messages by field. */
  check?: (values: Values) => Partial<Record<string, ReactNode>>
  /** Sends the form. Errors are shown at their fields, or above the button. */
  send: (values: Values) => Promise<unknown>
  /** Custom messages for refusals. */
  words?: (error: unknown) => ReactNode | undefined
  /** The field that shows the reasons of WEAK_PASSWORD. */
  passwordField?: keyof Values & string
}

/**
 * A form before sign-in. Checks the specification's rules first, with its messages, then shows the server's refusals.
 * Preserves input.
 */
export function useEntranceForm<Values extends Record<string, unknown>>(options: EntranceFormOptions<Values>) {
  const form = useForm<Values>({ initialValues: options.initialValues })
  const [problem, setProblem] = useState<ReactNode>()
  const [failure, setFailure] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const sending = useRef(false)

  const show = (errors: Partial<Record<string, ReactNode>>) => {
    form.setErrors(errors)
    const [first] = Object.keys(errors)
    if (first) form.getInputNode(first)?.focus()
  }

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (sending.current) return
    const values = form.getValues()
    setProblem(undefined)
    setFailure(undefined)
    form.clearErrors()
    const empty = options.required.filter((name) => String(valueAtPath(values, name) ?? "").trim() === "")
    const wrong = options.check?.(values) ?? {}
    if (empty.length > 0) {
      const { names } = options
      setProblem(
        names ? `Please fill in: ${empty.map((name) => names[name] ?? name).join(", ")}` : fillAllFieldsMessage,
      )
      return show({
        ...(names && wrong),
        ...Object.fromEntries(empty.map((name) => [name, "Please fill in this field"])),
      })
    }
    if (Object.keys(wrong).length > 0) return show(wrong)
    sending.current = true
    setBusy(true)
    try {
      await options.send(values)
    } catch (error) {
      setFailure(error)
      const reasons = passwordWeaknessesOf(error)
      if (reasons.length > 0 && options.passwordField)
        show({ [options.passwordField]: <ReasonList reasons={reasons} /> })
      else if (!showRefusedFields(form, error)) setProblem(options.words?.(error) ?? errorTextOf(error))
    } finally {
      sending.current = false
      setBusy(false)
    }
  }

  return { form, submit, busy, problem, failure, setProblem }
}

/** Path like "organisation.name". */
function valueAtPath(values: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((at, step) => (typeof at === "object" && at !== null ? Reflect.get(at, step) : undefined), values)
}
