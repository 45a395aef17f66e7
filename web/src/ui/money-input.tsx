import { TextInput, type TextInputProps } from "@mantine/core"
import { type Cents, formatRand, parseRand } from "@milkwood/domain/kernel/money"
import { useTyped } from "./use-typed.ts"

const plain = (cents: Cents) => formatRand(cents).replace(/^(-?)R\u00a0/, "$1")

interface MoneyInputProps extends Omit<TextInputProps, "value" | "defaultValue" | "onChange" | "type"> {
  /** Cents; null while the field is empty or holds what is not an amount. */
  value?: Cents | null
  onChange?: (cents: Cents | null) => void
}

/**
 * An amount as people type it (`1234.5`, `1 234,50`, `R1,234.50`), handed on in cents. Works with Mantine forms:
 *
 *     <MoneyInput label="Requested amount" required {...form.getInputProps("requestedAmountCents")} />
 *
 * What is not an amount stays as it was typed, with a sentence below it.
 */
export function MoneyInput({ value = null, onChange, error, onBlur, onFocus, onKeyDown, ...rest }: MoneyInputProps) {
  const { props } = useTyped({
    value,
    onChange,
    read: parseRand,
    show: plain,
    wrong: "Give an amount in rand, such as 1 234,50",
    field: { error, onBlur, onFocus, onKeyDown },
  })
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      leftSection={<span aria-hidden>R</span>}
      leftSectionWidth={28}
      styles={{ input: { fontVariantNumeric: "tabular-nums" } }}
      {...rest}
      {...props}
    />
  )
}
