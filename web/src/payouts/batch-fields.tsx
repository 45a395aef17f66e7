import { Select } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import { type PaymentFileFormat, paymentFileFormatNames, paymentFileFormatsOf } from "@milkwood/domain/payouts/batch"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"

export interface BatchValues {
  bankAccountId: string | null
  executionOn: string | null
  format: PaymentFileFormat
}

interface BatchFieldsProps<Values extends BatchValues> {
  form: UseFormReturnType<Values>
  accounts: readonly { id: string; name: string; bank: string }[]
}

export function BatchFields<Values extends BatchValues>({ form, accounts }: BatchFieldsProps<Values>) {
  const { currency } = useDisplay()
  return (
    <>
      <Select
        label="Pay from"
        required
        allowDeselect={false}
        nothingFoundMessage="Ask an administrator to add bank accounts in Settings, General"
        data={accounts.map(({ id, name, bank }) => ({ value: id, label: `${name}, ${bank}` }))}
        {...form.getInputProps("bankAccountId")}
      />
      <DayInput
        label="Execution day"
        description="Must be a business day. After the bank's cut-off time, the earliest is the next business day"
        required
        {...form.getInputProps("executionOn")}
      />
      <Select
        label="Payment file"
        required
        allowDeselect={false}
        data={paymentFileFormatsOf(currency).map((value) => ({ value, label: paymentFileFormatNames[value] }))}
        {...form.getInputProps("format")}
      />
    </>
  )
}
