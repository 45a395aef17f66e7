import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { approve } from "@milkwood/domain/billing/invoice-steps"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { lockInvoice, saveInvoice } from "./invoice-record.ts"
import { invoiceDetail } from "./invoices.queries.ts"

export const approveInvoice = command(billingContract.approve, async (cx) => {
  const { invoice } = await lockInvoice(cx, cx.input.invoiceId)
  expectVersion(invoice, cx.input.version)
  await saveInvoice(cx, invoice, orRefuse(approve(invoice, cx.now)))
  return invoiceDetail(cx, invoice.id)
})
