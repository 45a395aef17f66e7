import { Checkbox, Radio, Stack, Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { InvoiceDetail } from "@milkwood/domain/billing/billing.contract"
import type { CreditKind } from "@milkwood/domain/billing/credit-parts"
import { type Cents, formatRand } from "@milkwood/domain/kernel/money"
import { useState } from "react"
import { newKey } from "../platform/api.ts"
import { required } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { MoneyInput } from "../ui/money-input.tsx"
import { useInvoiceCommands } from "./billing.api.ts"

interface CreditValues {
  kind: CreditKind
  extent: string
  amountCents: Cents | null
  reason: string
  mail: boolean
}

/** Corrects a sent invoice by a credit note, as a whole or in part. */
export function CreditDialog({ invoice, onClose }: { invoice: InvoiceDetail; onClose: () => void }) {
  const { credit } = useInvoiceCommands()
  const [idempotencyKey] = useState(newKey)
  const { contactEmail } = invoice.policy
  const leftCents = invoice.totalCents - invoice.creditedCents - invoice.writtenOffCents
  const form = useForm<CreditValues>({
    initialValues: { kind: "correction", extent: "whole", amountCents: null, reason: "", mail: contactEmail !== "" },
    validate: {
      amountCents: (amount, { extent }) => {
        if (extent === "whole") return null
        if (amount === null || amount <= 0) return "Give the amount to credit, VAT included"
        return amount > leftCents ? `At most ${formatRand(leftCents)} is left to credit` : null
      },
      reason: required("Give a reason"),
    },
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Credit ${invoice.number}`}
      words="A credit note takes back what was invoiced, with its VAT. What was paid beyond the rest becomes unallocated credit of the policy. This cannot be undone."
      submit="Credit invoice"
      danger
      form={form}
      save={({ kind, extent, amountCents, reason, mail }) =>
        credit.mutateAsync({
          invoiceId: invoice.id,
          idempotencyKey,
          kind,
          amountCents: extent === "whole" ? null : amountCents,
          reason,
          mail,
        })
      }
    >
      <Radio.Group label="Why" {...form.getInputProps("kind")}>
        <Stack gap={6} mt={4}>
          <Radio
            value="correction"
            label="Correction"
            description="It was billed wrongly. What members owe all the same is billed again by the next run."
          />
          <Radio
            value="concession"
            label="Concession"
            description="Goodwill, or a discount given later. It is never billed again."
          />
        </Stack>
      </Radio.Group>
      <Radio.Group label="How much" {...form.getInputProps("extent")}>
        <Stack gap={6} mt={4}>
          <Radio value="whole" label={`All that is left, ${formatRand(leftCents)}`} />
          <Radio value="part" label="A part of it" />
        </Stack>
      </Radio.Group>
      {form.values.extent === "part" && (
        <MoneyInput label="Amount, VAT included" required {...form.getInputProps("amountCents")} />
      )}
      <Textarea label="Reason" required autosize minRows={2} maxLength={500} {...form.getInputProps("reason")} />
      <Checkbox
        label={contactEmail ? `Mail it to ${contactEmail}` : "Mail it to the contact"}
        description={contactEmail ? undefined : "The policy's contact has no e-mail address."}
        disabled={contactEmail === ""}
        {...form.getInputProps("mail", { type: "checkbox" })}
      />
    </FormDialog>
  )
}
