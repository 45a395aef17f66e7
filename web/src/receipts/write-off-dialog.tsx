import { Radio, Stack, Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import { type Cents, formatRand } from "@milkwood/domain/kernel/money"
import { useState } from "react"
import { newKey } from "../platform/api.ts"
import { required } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { MoneyInput } from "../ui/money-input.tsx"
import { useWriteOffCommands } from "./receipts.api.ts"

interface WriteOffDialogProps {
  invoice: { id: string; number: string; openCents: Cents }
  onClose: () => void
}

interface WriteOffValues {
  extent: string
  amountCents: Cents | null
  reason: string
}

/** Gives up what will not come on an invoice, as a whole or in part. */
export function WriteOffDialog({ invoice, onClose }: WriteOffDialogProps) {
  const { writeOff } = useWriteOffCommands()
  const [idempotencyKey] = useState(newKey)
  const form = useForm<WriteOffValues>({
    initialValues: { extent: "whole", amountCents: null, reason: "" },
    validate: {
      amountCents: (amount, { extent }) => {
        if (extent === "whole") return null
        if (amount === null || amount <= 0) return "Give the amount to write off, VAT included"
        return amount > invoice.openCents ? `At most ${formatRand(invoice.openCents)} is open` : null
      },
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
      save={({ extent, amountCents, reason }) =>
        writeOff.mutateAsync({
          invoiceId: invoice.id,
          idempotencyKey,
          amountCents: extent === "whole" ? null : amountCents,
          reason,
        })
      }
    >
      <Radio.Group label="How much" {...form.getInputProps("extent")}>
        <Stack gap={6} mt={4}>
          <Radio value="whole" label={`All that is open, ${formatRand(invoice.openCents)}`} />
          <Radio value="part" label="A part of it" />
        </Stack>
      </Radio.Group>
      {form.values.extent === "part" && (
        <MoneyInput label="Amount, VAT included" required {...form.getInputProps("amountCents")} />
      )}
      <Textarea label="Reason" required autosize minRows={2} maxLength={500} {...form.getInputProps("reason")} />
    </FormDialog>
  )
}
