import type { TextInputProps } from "@mantine/core"
import { useState } from "react"

interface TypedInputOptions<Value> {
  value: Value | null
  onChange: ((value: Value | null) => void) | undefined
  read: (text: string) => Value | null
  show: (value: Value) => string
  wrong: string
  field: Pick<TextInputProps, "error" | "onBlur" | "onFocus" | "onKeyDown">
}

/**
 * A field whose value differs from its text, such as a day or amount. Unreadable text stays, with an error. `forget`
 * shows the value again.
 */
export function useTypedInput<Value>({ value, onChange, read, show, wrong, field }: TypedInputOptions<Value>) {
  const [typed, setTyped] = useState<string>()
  const [left, setLeft] = useState(true)
  const unreadable = typed !== undefined && typed.trim() !== "" && read(typed) === null
  const props = {
    "data-unreadable": unreadable || undefined,
    value: typed ?? (value === null ? "" : show(value)),
    error: unreadable && left ? wrong : field.error,
    onChange: (event) => {
      setTyped(event.currentTarget.value)
      onChange?.(read(event.currentTarget.value))
    },
    onKeyDown: (event) => {
      // Enter and Ctrl shortcuts save without a blur, so the error is shown now.
      if (event.key === "Enter" || event.ctrlKey || event.metaKey) setLeft(true)
      field.onKeyDown?.(event)
    },
    onFocus: (event) => {
      setLeft(false)
      field.onFocus?.(event)
    },
    onBlur: (event) => {
      setLeft(true)
      if (!unreadable) setTyped(undefined)
      field.onBlur?.(event)
    },
  } satisfies TextInputProps & { "data-unreadable": true | undefined }
  return { props, forget: () => setTyped(undefined) }
}
