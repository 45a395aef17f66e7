import { Radio, Stack } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { type Cents, type Currency, formatMoney } from "@milkwood/domain/kernel/money"
import { MoneyInput } from "../ui/money-input.tsx"

export interface AmountExtentValues {
  extent: string
  amountCents: Cents | null
}

export const wholeAmount: AmountExtentValues = { extent: "whole", amountCents: null }

/** Null means the whole amount. */
export const extentCentsOf = ({ extent, amountCents }: AmountExtentValues): Cents | null =>
  extent === "whole" ? null : amountCents

/** `verb` and `left` complete the message: "credit", "the amount left to credit". */
export const validateExtent =
  (verb: string, leftCents: Cents, left: string, currency: Currency) =>
  (amount: Cents | null, { extent }: AmountExtentValues): string | null => {
    if (extent === "whole") return null
    if (amount === null || amount <= 0) return `Enter the amount to ${verb}, incl. VAT`
    return amount > leftCents ? `Enter at most ${formatMoney(leftCents, currency)}, ${left}` : null
  }

/** `whole` labels the full amount: "All that is open, R 575,00". */
export function ExtentInputs<Values extends AmountExtentValues>({
  form,
  whole,
}: {
  form: UseFormReturnType<Values>
  whole: string
}) {
  return (
    <>
      <Radio.Group label="Amount" {...form.getInputProps("extent")}>
        <Stack gap={6} mt={4}>
          <Radio value="whole" label={whole} />
          <Radio value="part" label="Part of the amount" />
        </Stack>
      </Radio.Group>
      {form.values.extent === "part" && (
        <MoneyInput label="Amount, incl. VAT" required {...form.getInputProps("amountCents")} />
      )}
    </>
  )
}
