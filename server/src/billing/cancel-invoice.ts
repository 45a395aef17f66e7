import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { cancel } from "@milkwood/domain/billing/invoice-steps"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { lockInvoice, saveInvoice } from "./invoice-record.ts"
import { invoiceDetail } from "./invoices.queries.ts"

export const cancelInvoice = command(billingContract.cancel, async (cx) => {
  const { invoice } = await lockInvoice(cx, cx.input.invoiceId)
  expectVersion(invoice, cx.input.version)
  await saveInvoice(cx, invoice, orRefuse(cancel(invoice, cx.input.reason, cx.now)))
  return invoiceDetail(cx, invoice.id)
})
