import { Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import { type Cents, formatMoney } from "@milkwood/domain/kernel/money"
import { useState } from "react"
import {
  type AmountExtentValues,
  ExtentInputs,
  extentCentsOf,
  validateExtent,
  wholeAmount,
} from "../billing/amount-extent.tsx"
import { newKey } from "../platform/api.ts"
import { useDisplay } from "../ui/display.tsx"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useWriteOffCommands } from "./receipts.api.ts"

interface WriteOffDialogProps {
  invoice: { id: string; number: string; openCents: Cents }
  onClose: () => void
}

interface WriteOffValues extends AmountExtentValues {
  reason: string
}

export function WriteOffDialog({ invoice, onClose }: WriteOffDialogProps) {
  const { currency } = useDisplay()
  const { writeOff } = useWriteOffCommands()
  const [idempotencyKey] = useState(newKey)
  const form = useForm<WriteOffValues>({
    initialValues: { ...wholeAmount, reason: "" },
    validate: {
      amountCents: validateExtent("write off", invoice.openCents, "the amount due", currency),
      reason: requireText("Enter a reason"),
    },
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Write off an amount of ${invoice.number}`}
      words="The amount is no longer due on the invoice, and its VAT is reversed. Above the limit in Settings, a second person must confirm. You can reverse a write-off."
      submit="Write off"
      danger
      form={form}
      save={({ reason, ...extent }) =>
        writeOff.mutateAsync({ invoiceId: invoice.id, idempotencyKey, amountCents: extentCentsOf(extent), reason })
      }
    >
      <ExtentInputs form={form} whole={`Full amount due, ${formatMoney(invoice.openCents, currency)}`} />
      <Textarea label="Reason" required autosize minRows={2} maxLength={500} {...form.getInputProps("reason")} />
    </FormDialog>
  )
}
