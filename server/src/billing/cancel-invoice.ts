import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { invoiceLifecycle } from "@milkwood/domain/billing/invoice-lifecycle"
import { step } from "@milkwood/domain/kernel/lifecycle"
import { eq } from "drizzle-orm"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { invoices } from "./billing.tables.ts"
import { draftNews, invoiceDetail, lockInvoice } from "./invoices.queries.ts"

/** Cancels what was not sent; it keeps its number and sets its period free. */
export const cancelInvoice = command(billingContract.cancel, async (cx) => {
  const { reason } = cx.input
  const { invoice } = await lockInvoice(cx, cx.input.invoiceId, cx.input.version)
  const status = orRefuse(step(invoiceLifecycle, invoice, "cancel"))
  await cx.tx
    .update(invoices)
    .set({ status, cancelledAt: cx.now, cancelReason: reason, version: invoice.version + 1 })
    .where(eq(invoices.id, invoice.id))
  await record(cx, [{ ...draftNews(invoice), type: "InvoiceCancelled", reason }])
  return invoiceDetail(cx, invoice.id)
})
