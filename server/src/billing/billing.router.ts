import { billingContract } from "@milkwood/domain/billing/billing.contract"
import { query } from "../platform/calls/commands.ts"
import { approveInvoice } from "./approve-invoice.ts"
import { billedAfterEnd } from "./billed-after-end.ts"
import { cancelInvoice } from "./cancel-invoice.ts"
import { cancelRun } from "./cancel-run.ts"
import { creditInvoice } from "./credit-invoice.ts"
import { creditNoteActivity, listCreditNotes, readCreditNote } from "./credit-notes.queries.ts"
import { readEffect } from "./effect.ts"
import { readFillLines, readVatRates } from "./fill-lines.ts"
import { generateInvoice } from "./generate-invoice.ts"
import { listInvoices } from "./invoice-list.queries.ts"
import { invoiceActivity, invoiceDetail } from "./invoices.queries.ts"
import { draftMail, mailDocument } from "./mail-document.ts"
import { continueRun, makeRun } from "./make-run.ts"
import { readMemberMonths } from "./member-months.ts"
import { readNextInvoice } from "./next-invoice.ts"
import { readNextPeriod } from "./next-period.ts"
import { excludeFromRun, previewRun, startRun } from "./preview-run.ts"
import { readDraftLines, readLines } from "./read-lines.ts"
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
    leaveOut: excludeFromRun,
    make: makeRun,
    continue: continueRun,
    send: sendRun,
    cancel: cancelRun,
  },
  list: listInvoices,
  detail: query(billingContract.detail, (cx) => invoiceDetail(cx, cx.input.invoiceId)),
  activity: invoiceActivity,
  fillLines: readFillLines,
  lines: readLines,
  draftLines: readDraftLines,
  vatRates: readVatRates,
  nextPeriod: readNextPeriod,
  billedAfterEnd,
  memberMonths: readMemberMonths,
  nextInvoice: readNextInvoice,
  effect: readEffect,
  generate: generateInvoice,
  update: updateInvoice,
  approve: approveInvoice,
  send: sendInvoice,
  cancel: cancelInvoice,
  credit: creditInvoice,
  creditNotes: { list: listCreditNotes, detail: readCreditNote, activity: creditNoteActivity },
  delivery: { draft: draftMail, send: mailDocument },
}
