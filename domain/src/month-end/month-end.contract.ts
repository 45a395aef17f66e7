import { z } from "zod"
import { proofKinds, proofRecords } from "../banking/bank-proof.ts"
import { vatClasses } from "../benefits/vat.ts"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { proofRequired, readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { text } from "../kernel/text-shape.ts"
import { checkKeys, monthActions, monthStates } from "./checklist.ts"
import { creditStates, monthCreditsList } from "./month-credits.list.ts"
import { monthPoliciesList, monthPolicyStates } from "./month-policies.list.ts"
import { vatDocumentsList, vatReturnList } from "./vat-return.list.ts"
import { vatKinds } from "./vat-return.ts"

const tags = ["Month end"]

const month = day.refine((on) => on.endsWith("-01"), "Send the first day of the month")
const reason = text(500).min(1, "Enter a reason")

const figure = z.object({ label: z.string(), kind: z.enum(["cents", "count"]), value: z.int() })

export const checkRow = z.object({
  key: z.enum(checkKeys),
  isDone: z.boolean(),
  /** A money check that cannot be verified: the month can be closed with a reason. */
  isUnproved: z.boolean().optional(),
  /** Expected and actual: cents, or a count. */
  figures: z.array(figure),
  /** Open items, or how the two figures reconcile. */
  notes: z.array(z.string()),
  /** Why the month was closed although this check was open; null if the check is done or the month is open. */
  reason: z.string().nullable(),
})
export type CheckRow = z.infer<typeof checkRow>

export const closingRow = z.object({
  id: z.uuid(),
  closedAt: instant,
  closedByName: z.string(),
  reopenedAt: instant.nullable(),
  reopenedByName: z.string().nullable(),
  reopenReason: z.string().nullable(),
  /** Hash of the checklist PDF; null until a job has generated it, shortly after closing. */
  sha256: z.string().nullable(),
  /** Hash of the bank reconciliation PDF; null until generated, and for closings before reconciliations were stored. */
  reconciliationSha256: z.string().nullable(),
})
export type ClosingRow = z.infer<typeof closingRow>

export const monthDetail = z.object({
  month: day,
  state: z.enum(monthStates),
  /** Last day of the closed months; null if none is closed. */
  closedTo: day.nullable(),
  /** First day of the next month to close; null while none is closed. */
  next: day.nullable(),
  /** The signed-off checks of a closed month, or the current checks of an open one. */
  checks: z.array(checkRow),
  /** Latest first. */
  closings: z.array(closingRow),
  allowedActions: z.array(z.enum(monthActions)),
})
export type MonthDetail = z.infer<typeof monthDetail>

export const monthPolicyRow = z.object({
  id: z.uuid(),
  policyId: z.uuid(),
  policyNumber: z.string(),
  groupName: z.string(),
  state: z.enum(monthPolicyStates),
  invoiceId: z.uuid().nullable(),
  invoiceNumber: z.string().nullable(),
  reason: z.string().nullable(),
  excusedByName: z.string().nullable(),
  allowedActions: z.array(z.enum(["excuse", "takeBack"])),
})
export type MonthPolicyRow = z.infer<typeof monthPolicyRow>

export const monthCreditRow = z.object({
  id: z.uuid(),
  number: z.string(),
  policyNumber: z.string(),
  groupName: z.string(),
  receivedOn: day,
  amountCents: cents,
  /** Unallocated amount. */
  creditCents: cents,
  state: z.enum(creditStates),
  reason: z.string().nullable(),
  heldByName: z.string().nullable(),
  allowedActions: z.array(z.enum(["keep", "takeBack"])),
})
export type MonthCreditRow = z.infer<typeof monthCreditRow>

const vatLine = {
  id: z.string(),
  kind: z.enum(vatKinds),
  vatClass: z.enum(vatClasses),
  /** Such as "15%"; empty without VAT. */
  rate: z.string(),
  /** Excluding VAT, before discount; negative if it reduces VAT. */
  netCents: cents,
  vatCents: cents,
}

export const vatReturnRow = z.object({ ...vatLine, documents: z.int() })
export type VatReturnRow = z.infer<typeof vatReturnRow>

export const vatDocumentRow = z.object({
  ...vatLine,
  number: z.string(),
  /** The document that the row opens. */
  record: z.object({ kind: z.enum(["invoice", "credit_note"]), id: z.uuid() }),
  groupName: z.string(),
  policyNumber: z.string(),
  documentOn: day,
  /** Effective day in the ledger: later than the document's date if its month was closed. */
  countsOn: day,
})
export type VatDocumentRow = z.infer<typeof vatDocumentRow>

const proofItem = z.object({
  kind: z.enum(proofKinds),
  record: z.enum(proofRecords),
  id: z.uuid(),
  recordId: z.uuid(),
  number: z.string(),
  name: z.string(),
  on: day,
  countsOn: day.nullable(),
  /** Ledger amount minus bank amount. */
  amountCents: cents,
})
export type ProofItemRow = z.infer<typeof proofItem>

export const accountProof = z.object({
  accountId: z.uuid(),
  name: z.string(),
  bank: z.string(),
  accountNumber: z.string(),
  /** From statement files; null if no statement begins on or before that day. */
  statement: z
    .object({
      cents,
      lastLineOn: day.nullable(),
      /** The statement with the balance; null if the balance is the sum of lines. */
      number: z.string().nullable(),
    })
    .nullable(),
  ledgerCents: cents,
  /** At most 200 items per kind. */
  groups: z.array(z.object({ kind: z.enum(proofKinds), cents, count: z.int(), items: z.array(proofItem).readonly() })),
  expectedCents: cents.nullable(),
  unexplainedCents: cents,
})
export type AccountProofRow = z.infer<typeof accountProof>

export const bankReconciliation = z.object({
  month: day,
  /** Last day of the month. */
  day,
  accounts: z.array(accountProof),
  ledgerCents: cents,
  undepositedCents: cents,
  isClosed: z.boolean(),
  /**
   * Signature of a closed month's reconciliation; null for an open month, and for closings before these were stored.
   */
  signed: z
    .object({
      closingId: z.uuid(),
      closedAt: instant,
      closedByName: z.string(),
      pdfSha256: z.string().nullable(),
      csvSha256: z.string().nullable(),
    })
    .nullable(),
})
export type BankReconciliation = z.infer<typeof bankReconciliation>

const monthClosed = { CLOSED: { status: 409, message: "This month is closed." } } as const
const severalIds = z.array(z.uuid()).min(1).max(500)

export const monthEndContract = {
  /**
   * A month with its checklist: current while open, as signed off once closed. Default: the next month to close, or
   * else the last finished month.
   */
  month: readProcedure("monthEnd.read")
    .route({ method: "GET", path: "/month-end", summary: "Read the checklist of a month", tags })
    .input(z.object({ month: month.optional() }))
    .output(monthDetail),

  /**
   * Closes a month to postings. Money checks must agree; other open checks need a reason, stored with the checklist.
   * Returns the month.
   */
  close: writeProcedure("monthEnd.write", { idempotent: true })
    .route({ method: "POST", path: "/month-end/close", summary: "Close a month", tags })
    .errors({
      ...monthClosed,
      NOT_OVER: { status: 409, message: "This month is not over yet." },
      NOT_NEXT: { status: 409, message: "Close earlier months first." },
      MONEY_DIFFERS: {
        status: 409,
        message: "The ledger and the records differ. The month stays open until they agree.",
      },
      REASONS_NEEDED: { status: 409, message: "Enter a reason for each open check." },
    })
    .input(z.object({ month, idempotencyKey: z.uuid(), reasons: z.partialRecord(z.enum(checkKeys), text(500)) }))
    .output(monthDetail),

  /** Reopens the last closed month, with a recorded reason. PROOF_REQUIRED without a fresh proof. */
  reopen: writeProcedure("monthEnd.reopen", { idempotent: true })
    .route({ method: "POST", path: "/month-end/reopen", summary: "Reopen a month", tags })
    .errors({
      ...proofRequired,
      NOT_LAST_CLOSED: { status: 409, message: "Only the last closed month can be reopened." },
    })
    .input(z.object({ month, idempotencyKey: z.uuid(), reason }))
    .output(monthDetail),

  /**
   * For each account: statement balance on the last day, outstanding deposits and payments, unposted lines, lines
   * posted later, and ledger balance. As signed off if closed, otherwise current.
   */
  bank: readProcedure("monthEnd.read")
    .route({ method: "GET", path: "/month-end/bank", summary: "Read the bank reconciliation of a month", tags })
    .input(z.object({ month }))
    .output(bankReconciliation),

  /** Policies active on the first day of the month, and whether they were billed for it. */
  policies: readProcedure("monthEnd.read")
    .route({ method: "GET", path: "/month-end/policies", summary: "List policies to bill for a month", tags })
    .input(listInput(monthPoliciesList))
    .output(listOutput(monthPoliciesList, monthPolicyRow)),

  /** Records why policies are not billed for a month; policies that already have a reason are unchanged. */
  excuse: writeProcedure("monthEnd.write", { idempotent: true })
    .route({ method: "POST", path: "/month-end/excuses", summary: "Excuse policies from billing", tags })
    .errors(monthClosed)
    .input(z.object({ month, policyIds: severalIds, idempotencyKey: z.uuid(), reason }))
    .output(z.object({ excused: z.int() })),

  withdrawExcuses: writeProcedure("monthEnd.write", { idempotent: true })
    .route({ method: "POST", path: "/month-end/excuses/take-back", summary: "Withdraw excuses", tags })
    .errors(monthClosed)
    .input(z.object({ month, policyIds: severalIds, idempotencyKey: z.uuid() }))
    .output(z.object({ takenBack: z.int() })),

  /** Receipts up to month end with an unallocated amount. */
  credits: readProcedure("monthEnd.read")
    .route({ method: "GET", path: "/month-end/credits", summary: "List receipts with credit", tags })
    .input(listInput(monthCreditsList))
    .output(listOutput(monthCreditsList, monthCreditRow)),

  /** Marks the unallocated amount of receipts as deliberate credit; receipts already marked are unchanged. */
  keepCredit: writeProcedure("monthEnd.write", { idempotent: true })
    .route({ method: "POST", path: "/month-end/credits/keep", summary: "Keep receipts as credit", tags })
    .input(z.object({ receiptIds: severalIds, idempotencyKey: z.uuid(), reason }))
    .output(z.object({ kept: z.int() })),

  /** Undoes `keepCredit`: the credit must be allocated again. */
  stopKeepingCredit: writeProcedure("monthEnd.write", { idempotent: true })
    .route({ method: "POST", path: "/month-end/credits/take-up", summary: "Undo keeping credit", tags })
    .input(z.object({ receiptIds: severalIds, idempotencyKey: z.uuid() }))
    .output(z.object({ takenUp: z.int() })),

  /**
   * VAT of a month by class and rate. Sums are those of the lines; `ledgerCents` is the ledger's VAT output for the
   * month, and `agrees` whether they match.
   */
  vatReturn: readProcedure("monthEnd.read")
    .route({ method: "GET", path: "/vat-return", summary: "Read the VAT of a month by class", tags })
    .input(listInput(vatReturnList))
    .output(listOutput(vatReturnList, vatReturnRow, { month: day, ledgerCents: cents, agrees: z.boolean() })),

  /** One row per document, class and rate. */
  vatDocuments: readProcedure("monthEnd.read")
    .route({ method: "GET", path: "/vat-return/documents", summary: "List the VAT documents of a month", tags })
    .input(listInput(vatDocumentsList))
    .output(listOutput(vatDocumentsList, vatDocumentRow)),
}
