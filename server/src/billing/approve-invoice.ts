import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { invoiceLifecycle } from "@milkwood/domain/billing/invoice-lifecycle"
import { step } from "@milkwood/domain/kernel/lifecycle"
import { eq } from "drizzle-orm"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { invoices } from "./billing.tables.ts"
import { draftNews, invoiceDetail, lockInvoice } from "./invoices.queries.ts"

/** Approves a draft: it waits to be sent. */
export const approveInvoice = command(billingContract.approve, async (cx) => {
  const { invoice } = await lockInvoice(cx, cx.input.invoiceId, cx.input.version)
  const status = orRefuse(step(invoiceLifecycle, invoice, "approve"))
  await cx.tx
    .update(invoices)
    .set({ status, approvedAt: cx.now, version: invoice.version + 1 })
    .where(eq(invoices.id, invoice.id))
  await record(cx, [{ ...draftNews(invoice), type: "InvoiceApproved" }])
  return invoiceDetail(cx, invoice.id)
})
