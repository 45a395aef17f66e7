import type { InvoiceDetail } from "@milkwood/domain/billing/billing.contract"
import ReasonDialog from "../ui/reason-dialog.tsx"
import { useInvoiceCommands } from "./billing.api.ts"

export function CancelDialog({ invoice, onClose }: { invoice: InvoiceDetail; onClose: () => void }) {
  const { cancel } = useInvoiceCommands()
  return (
    <ReasonDialog
      title={`Cancel ${invoice.number}`}
      words="It keeps its number and stays in the list. Its period can be invoiced again. This cannot be undone."
      submit="Cancel invoice"
      missing="Enter a reason"
      danger
      maxLength={500}
      save={({ reason }) => cancel.mutateAsync({ invoiceId: invoice.id, version: invoice.version, reason })}
      onClose={onClose}
    />
  )
}
