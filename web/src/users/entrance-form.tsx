import { useForm } from "@mantine/form"
import { type FormEvent, type ReactNode, useRef, useState } from "react"
import { errorText } from "../platform/errors.ts"
import { showRefusedFields } from "../ui/form.ts"
import { Reasons } from "./notice.tsx"
import { weaknesses } from "./users.api.ts"

export const fillIn = "Please fill in all fields"

interface EntranceFormOptions<Values extends Record<string, unknown>> {
  initialValues: Values
  /** The fields that must be filled in, by path, in their order on the page. */
  required: readonly string[]
  /** What those fields are called, where others may stay empty: the message then names what is missing. */
  names?: Readonly<Record<string, string>>
  /** Rules beyond that, by field: the message, or nothing. */
  check?: (values: Values) => Partial<Record<string, ReactNode>>
  /** The call. What it throws is shown at its field, or above the button. */
  send: (values: Values) => Promise<unknown>
  /** Refusals that are said in words of their own. */
  words?: (error: unknown) => ReactNode | undefined
  /** The password field that reasons of weakness belong to. */
  passwordField?: keyof Values & string
}

/**
 * A form before the product itself. The specification's own rules are checked first, with its own messages; then the
 * server says what else is wrong. Errors stand at their fields, and what was typed stays.
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
    const empty = options.required.filter((name) => String(valueAt(values, name) ?? "").trim() === "")
    const wrong = options.check?.(values) ?? {}
    if (empty.length > 0) {
      const { names } = options
      setProblem(names ? `Please fill in: ${empty.map((name) => names[name] ?? name).join(", ")}` : fillIn)
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
      const reasons = weaknesses(error)
      if (reasons.length > 0 && options.passwordField) show({ [options.passwordField]: <Reasons reasons={reasons} /> })
      else if (!showRefusedFields(form, error)) setProblem(options.words?.(error) ?? errorText(error))
    } finally {
      sending.current = false
      setBusy(false)
    }
  }

  return { form, submit, busy, problem, failure, setProblem }
}

/** "organisation.name" inside nested values. */
function valueAt(values: unknown, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((at, step) => (typeof at === "object" && at !== null ? Reflect.get(at, step) : undefined), values)
}
