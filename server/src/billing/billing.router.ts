import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { query } from "../platform/calls/commands.ts"
import { approveInvoice } from "./approve-invoice.ts"
import { billedAfterEnd } from "./billed-after-end.ts"
import { cancelInvoice } from "./cancel-invoice.ts"
import { creditInvoice } from "./credit-invoice.ts"
import { fillLines, vatPercent } from "./fill-lines.ts"
import { generateInvoice } from "./generate-invoice.ts"
import { listInvoices } from "./invoice-list.queries.ts"
import { invoiceDetail } from "./invoices.queries.ts"
import { nextPeriod } from "./next-period.ts"
import { draftLines, lines } from "./read-lines.ts"
import { sendInvoice } from "./send-invoice.ts"
import { updateInvoice } from "./update-invoice.ts"

export const billingRouter = {
  list: listInvoices,
  detail: query(billingContract.detail, (cx) => invoiceDetail(cx, cx.input.invoiceId)),
  fillLines,
  lines,
  draftLines,
  vatPercent,
  nextPeriod,
  billedAfterEnd,
  generate: generateInvoice,
  update: updateInvoice,
  approve: approveInvoice,
  send: sendInvoice,
  cancel: cancelInvoice,
  credit: creditInvoice,
}
