import type { InvoiceRow } from "@milkwood/domain/billing/billing.contract"
import { formatRand } from "@milkwood/domain/kernel/money"
import { newKey } from "../platform/api.ts"
import { useConfirm } from "../ui/confirm.tsx"
import { useInvoiceCommands } from "./billing.api.ts"

/** Asks, and sends: the same from the list and from the invoice. */
export function useSendInvoice() {
  const confirm = useConfirm()
  const { send } = useInvoiceCommands()
  return (invoice: Pick<InvoiceRow, "id" | "number" | "groupName" | "totalCents" | "version">) => {
    // One key for the question: pressing again after a lost answer sends nothing twice.
    const idempotencyKey = newKey()
    return confirm({
      title: `Send ${invoice.number}?`,
      body: `${invoice.groupName} owes ${formatRand(invoice.totalCents)} from then on, and the PDF goes to its main contact by mail. A sent invoice is not changed any more; a credit note corrects it.`,
      confirm: "Send invoice",
      action: () => send.mutateAsync({ invoiceId: invoice.id, version: invoice.version, idempotencyKey }),
    })
  }
}
