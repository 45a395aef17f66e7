import { Checkbox, Radio, Stack, Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { InvoiceDetail } from "@milkwood/domain/billing/billing.contract"
import type { CreditKind } from "@milkwood/domain/billing/credit-parts"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { useState } from "react"
import { newKey } from "../platform/api.ts"
import { useDisplay } from "../ui/display.tsx"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { type AmountExtentValues, ExtentInputs, extentCentsOf, validateExtent, wholeAmount } from "./amount-extent.tsx"
import { useInvoiceCommands } from "./billing.api.ts"

interface CreditValues extends AmountExtentValues {
  kind: CreditKind
  reason: string
  mail: boolean
}

export function CreditDialog({ invoice, onClose }: { invoice: InvoiceDetail; onClose: () => void }) {
  const { currency } = useDisplay()
  const { credit } = useInvoiceCommands()
  const [idempotencyKey] = useState(newKey)
  const { contactEmail } = invoice.policy
  const leftCents = invoice.totalCents - invoice.creditedCents - invoice.writtenOffCents
  const form = useForm<CreditValues>({
    initialValues: { ...wholeAmount, kind: "correction", reason: "", mail: contactEmail !== "" },
    validate: {
      amountCents: validateExtent("credit", leftCents, "the amount left to credit", currency),
      reason: requireText("Enter a reason"),
    },
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Credit ${invoice.number}`}
      words="A credit note reverses invoiced amounts with their VAT. Any overpayment becomes unallocated credit on the policy. This cannot be undone."
      submit="Credit invoice"
      danger
      form={form}
      save={({ kind, reason, mail, ...extent }) =>
        credit.mutateAsync({
          invoiceId: invoice.id,
          idempotencyKey,
          kind,
          amountCents: extentCentsOf(extent),
          reason,
          mail,
        })
      }
    >
      <Radio.Group label="Kind" {...form.getInputProps("kind")}>
        <Stack gap={6} mt={4}>
          <Radio
            value="correction"
            label="Correction"
            description="The invoice was wrong. The next run rebills any amounts that members still owe."
          />
          <Radio
            value="concession"
            label="Concession"
            description="Goodwill, or a later discount. It is never billed again."
          />
        </Stack>
      </Radio.Group>
      <ExtentInputs form={form} whole={`Full remaining amount, ${formatMoney(leftCents, currency)}`} />
      <Textarea label="Reason" required autosize minRows={2} maxLength={500} {...form.getInputProps("reason")} />
      <Checkbox
        label={contactEmail ? `Email it to ${contactEmail}` : "Email it to the contact"}
        description={contactEmail ? undefined : "The policy's contact has no e-mail address."}
        disabled={contactEmail === ""}
        {...form.getInputProps("mail", { type: "checkbox" })}
      />
    </FormDialog>
  )
}
