import { TextInput, type TextInputProps } from "@mantine/core"
import { currencySigns } from "@milkwood/domain/kernel/money"
import { useDisplay } from "../ui/display.tsx"

/** An amount as typed; the form validates the text. */
export function AmountTextInput(props: TextInputProps) {
  const { currency } = useDisplay()
  return (
    <TextInput
      inputMode="decimal"
      leftSection={currencySigns[currency]}
      placeholder="0,00"
      autoComplete="off"
      {...props}
    />
  )
}
