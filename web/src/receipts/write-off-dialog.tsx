import { Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import { type Cents, formatRand } from "@milkwood/domain/kernel/money"
import { useState } from "react"
import { ExtentInputs, type ExtentValues, extentCents, extentProblem, wholeExtent } from "../billing/amount-extent.tsx"
import { newKey } from "../platform/api.ts"
import { required } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useWriteOffCommands } from "./receipts.api.ts"

interface WriteOffDialogProps {
  invoice: { id: string; number: string; openCents: Cents }
  onClose: () => void
}

interface WriteOffValues extends ExtentValues {
  reason: string
}

/** Gives up what will not come on an invoice, as a whole or in part. */
export function WriteOffDialog({ invoice, onClose }: WriteOffDialogProps) {
  const { writeOff } = useWriteOffCommands()
  const [idempotencyKey] = useState(newKey)
  const form = useForm<WriteOffValues>({
    initialValues: { ...wholeExtent, reason: "" },
    validate: {
      amountCents: extentProblem("write off", invoice.openCents, "is open"),
      reason: required("Give a reason"),
    },
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Write off on ${invoice.number}`}
      words="What will not come is given up: the invoice does not ask for it any more, and its VAT is taken back. Above the limit in Settings it counts once a second person confirms. It can be undone by reversal."
      submit="Write off"
      danger
      form={form}
      save={({ reason, ...extent }) =>
        writeOff.mutateAsync({ invoiceId: invoice.id, idempotencyKey, amountCents: extentCents(extent), reason })
      }
    >
      <ExtentInputs form={form} whole={`All that is open, ${formatRand(invoice.openCents)}`} />
      <Textarea label="Reason" required autosize minRows={2} maxLength={500} {...form.getInputProps("reason")} />
    </FormDialog>
  )
}
