import { Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { InvoiceDetail } from "@milkwood/domain/billing/billing.contract"
import { required } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useInvoiceCommands } from "./billing.api.ts"

/** Cancels what was not sent, with a reason. */
export function CancelDialog({ invoice, onClose }: { invoice: InvoiceDetail; onClose: () => void }) {
  const { cancel } = useInvoiceCommands()
  const form = useForm({ initialValues: { reason: "" }, validate: { reason: required("Give a reason") } })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Cancel ${invoice.number}`}
      words="It keeps its number and stays in the list. Its period can be invoiced anew. This cannot be undone."
      submit="Cancel invoice"
      danger
      form={form}
      save={({ reason }) => cancel.mutateAsync({ invoiceId: invoice.id, version: invoice.version, reason })}
    >
      <Textarea label="Reason" required autosize minRows={2} maxLength={500} {...form.getInputProps("reason")} />
    </FormDialog>
  )
}
