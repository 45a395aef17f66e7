import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { query } from "../platform/calls/commands.ts"
import { approveInvoice } from "./approve-invoice.ts"
import { billedAfterEnd } from "./billed-after-end.ts"
import { cancelInvoice } from "./cancel-invoice.ts"
import { cancelRun } from "./cancel-run.ts"
import { creditInvoice } from "./credit-invoice.ts"
import { creditNoteActivity, listCreditNotes, readCreditNote } from "./credit-notes.queries.ts"
import { effect } from "./effect.ts"
import { fillLines, vatRates } from "./fill-lines.ts"
import { generateInvoice } from "./generate-invoice.ts"
import { listInvoices } from "./invoice-list.queries.ts"
import { invoiceActivity, invoiceDetail } from "./invoices.queries.ts"
import { draftMail, mailDocument } from "./mail-document.ts"
import { continueRun, makeRun } from "./make-run.ts"
import { memberMonths } from "./member-months.ts"
import { nextInvoice } from "./next-invoice.ts"
import { nextPeriod } from "./next-period.ts"
import { leaveOutOfRun, previewRun, startRun } from "./preview-run.ts"
import { draftLines, lines } from "./read-lines.ts"
import { listRunPolicies, listRuns, readRun, readRunLines } from "./runs.queries.ts"
import { sendInvoice } from "./send-invoice.ts"
import { sendRun } from "./send-run.ts"
import { updateInvoice } from "./update-invoice.ts"

export const billingRouter = {
  runs: {
    list: listRuns,
    detail: readRun,
    policies: listRunPolicies,
    lines: readRunLines,
    start: startRun,
    preview: previewRun,
    leaveOut: leaveOutOfRun,
    make: makeRun,
    continue: continueRun,
    send: sendRun,
    cancel: cancelRun,
  },
  list: listInvoices,
  detail: query(billingContract.detail, (cx) => invoiceDetail(cx, cx.input.invoiceId)),
  activity: invoiceActivity,
  fillLines,
  lines,
  draftLines,
  vatRates,
  nextPeriod,
  billedAfterEnd,
  memberMonths,
  nextInvoice,
  effect,
  generate: generateInvoice,
  update: updateInvoice,
  approve: approveInvoice,
  send: sendInvoice,
  cancel: cancelInvoice,
  credit: creditInvoice,
  creditNotes: { list: listCreditNotes, detail: readCreditNote, activity: creditNoteActivity },
  delivery: { draft: draftMail, send: mailDocument },
}
