import { lifecycle } from "../kernel/lifecycle.ts"
import { hasPermission, type Role } from "../platform/permission.ts"
import { type InvoiceAction, type InvoiceMoney, openCents, storedInvoiceStatuses } from "./invoice.ts"

/**
 * Approval is optional. A sent invoice is final; only a credit note corrects it. An unsent invoice can be cancelled; it
 * keeps its number and is never deleted.
 */
export const invoiceLifecycle = lifecycle({
  name: "invoice",
  initial: "draft",
  states: storedInvoiceStatuses,
  actions: {
    edit: { from: ["draft"], to: "draft" },
    approve: { from: ["draft"], to: "pending" },
    send: { from: ["draft", "pending"], to: "sent" },
    cancel: { from: ["draft", "pending"], to: "cancelled" },
    credit: { from: ["sent"], to: "sent" },
  },
  words: {
    record: "An invoice that",
    done: { edit: "edited", approve: "approved", send: "sent", cancel: "cancelled", credit: "credited" },
  },
})

/** Receipts and write-offs need an open amount; only a sent invoice can be mailed again. */
export function invoiceActionsOf(invoice: InvoiceMoney, role: Role | null): InvoiceAction[] {
  const actions: InvoiceAction[] = []
  if (hasPermission(role, "invoices.write")) {
    const left = invoice.totalCents - invoice.creditedCents - invoice.writtenOffCents
    actions.push(...invoiceLifecycle.actionsFrom(invoice.status).filter((action) => action !== "credit" || left > 0))
  }
  if (hasPermission(role, "receipts.write") && openCents(invoice) > 0) actions.push("receive", "writeOff")
  if (hasPermission(role, "invoices.write") && invoice.status === "sent") actions.push("mail")
  if (hasPermission(role, "invoices.read")) actions.push("download")
  return actions
}
