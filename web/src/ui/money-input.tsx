import { TextInput, type TextInputProps } from "@mantine/core"
import {
  type Cents,
  type Currency,
  currencyNames,
  currencySigns,
  formatAmount,
  parseMoney,
} from "@milkwood/domain/kernel/money"
import { useDisplay } from "./display.tsx"
import { useTypedInput } from "./use-typed.ts"

export const invalidAmountMessage = (currency: Currency, such = "1 234,50") =>
  `Enter an amount in ${currencyNames[currency]}, such as ${such}`

interface MoneyInputProps extends Omit<TextInputProps, "value" | "defaultValue" | "onChange" | "type"> {
  /** Cents; null if empty or invalid. */
  value?: Cents | null
  onChange?: (cents: Cents | null) => void
}

/**
 * An amount as typed (`1234.5`, `1 234,50`, `R1,234.50`), passed on in cents. Works with Mantine forms:
 *
 *     <MoneyInput label="Requested amount" required {...form.getInputProps("requestedAmountCents")} />
 *
 * Invalid text stays, with a message below it.
 */
export function MoneyInput({ value = null, onChange, error, onBlur, onFocus, onKeyDown, ...rest }: MoneyInputProps) {
  const { currency } = useDisplay()
  const { props } = useTypedInput({
    value,
    onChange,
    read: (text) => parseMoney(text, currency),
    show: formatAmount,
    wrong: invalidAmountMessage(currency),
    field: { error, onBlur, onFocus, onKeyDown },
  })
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      leftSection={<span aria-hidden>{currencySigns[currency]}</span>}
      leftSectionWidth={28}
      styles={{ input: { fontVariantNumeric: "tabular-nums" } }}
      {...rest}
      {...props}
    />
  )
}
