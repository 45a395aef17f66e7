import { z } from "zod"
import { proofKinds, proofRecords } from "../banking/bank-proof.ts"
import { vatClasses } from "../benefits/vat.ts"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { proofRequired, read, write } from "../kernel/procedure.ts"
import { text } from "../kernel/text-shape.ts"
import { checkKeys, monthActions, monthStates } from "./checklist.ts"
import { creditStates, monthCreditsList } from "./month-credits.list.ts"
import { monthPoliciesList, monthPolicyStates } from "./month-policies.list.ts"
import { vatDocumentsList, vatReturnList } from "./vat-return.list.ts"
import { vatKinds } from "./vat-return.ts"

const tags = ["Month end"]

/** A month, by its first day. */
const month = day.refine((on) => on.endsWith("-01"), "A month is given by its first day")
const reason = text(500).min(1, "Give the reason")

const figure = z.object({ label: z.string(), kind: z.enum(["cents", "count"]), value: z.int() })

export const checkRow = z.object({
  key: z.enum(checkKeys),
  isDone: z.boolean(),
  /** A check of money that nothing contradicts and nothing proves: the month closes without it with a reason. */
  isUnproved: z.boolean().optional(),
  /** What must be, and what is: cents, or how many. */
  figures: z.array(figure),
  /** What is left, or how the two come together. */
  notes: z.array(z.string()),
  /** Why the month was closed without it; null where it was done, and while the month is open. */
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
  /** Of the kept PDF of the checklist; null until it is made, a moment after the month is closed. */
  sha256: z.string().nullable(),
  /** Of the kept PDF of the bank reconciliation; null until it is made, and for closings from before it was kept. */
  reconciliationSha256: z.string().nullable(),
})
export type ClosingRow = z.infer<typeof closingRow>

export const monthDetail = z.object({
  month: day,
  state: z.enum(monthStates),
  /** The last day that closed months hold; null while none is closed. */
  closedTo: day.nullable(),
  /** The month that is to be closed next, by its first day; null while none is closed. */
  next: day.nullable(),
  /** As it was signed off where the month is closed, as it is now where it is open. */
  checks: z.array(checkRow),
  /** Every time that it was closed, the latest first. */
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
  /** What of it is set against nothing. */
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
  /** "15%", or nothing where there is none. */
  rate: z.string(),
  /** Without VAT, before discount; what takes VAT back is below zero. */
  netCents: cents,
  vatCents: cents,
}

export const vatReturnRow = z.object({ ...vatLine, documents: z.int() })
export type VatReturnRow = z.infer<typeof vatReturnRow>

export const vatDocumentRow = z.object({
  ...vatLine,
  number: z.string(),
  /** Where it is shown: the invoice, or the credit note. */
  record: z.object({ kind: z.enum(["invoice", "credit_note"]), id: z.uuid() }),
  groupName: z.string(),
  policyNumber: z.string(),
  documentOn: day,
  /** The day on which the ledger has it: later than the document's where that one's month was closed. */
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
  /** What the ledger counts of it beyond the bank. */
  amountCents: cents,
})
export type ProofItemRow = z.infer<typeof proofItem>

export const accountProof = z.object({
  accountId: z.uuid(),
  name: z.string(),
  bank: z.string(),
  accountNumber: z.string(),
  /** By the files of the statements; null where none begins by the day. */
  statement: z
    .object({
      cents,
      lastLineOn: day.nullable(),
      /** The statement that states the balance; null where no file states one and the lines are added up. */
      number: z.string().nullable(),
    })
    .nullable(),
  ledgerCents: cents,
  /** The items of each kind; the first 200 of them. */
  groups: z.array(z.object({ kind: z.enum(proofKinds), cents, count: z.int(), items: z.array(proofItem).readonly() })),
  expectedCents: cents.nullable(),
  unexplainedCents: cents,
})
export type AccountProofRow = z.infer<typeof accountProof>

export const bankReconciliation = z.object({
  month: day,
  /** The last day of the month. */
  day,
  accounts: z.array(accountProof),
  ledgerCents: cents,
  undepositedCents: cents,
  isClosed: z.boolean(),
  /** The closing that it was signed with; null for an open month, and for one closed before reconciliations were kept. */
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

const closed = { CLOSED: { status: 409, message: "This month is closed." } } as const
const severalIds = z.array(z.uuid()).min(1).max(500)

export const monthEndContract = {
  /**
   * A month with its checklist: worked out now while it is open, as it was signed off once it is closed. Without a month,
   * the one to be closed next, or the last one that is over.
   */
  month: read("monthEnd.read")
    .route({ method: "GET", path: "/month-end", summary: "The checklist of a month", tags })
    .input(z.object({ month: month.optional() }))
    .output(monthDetail),

  /**
   * Closes a month: nothing is posted into it any more, whoever asks. Every equality of money must hold; each other check
   * that is not done needs its reason, which stands on the kept checklist. Answers the month.
   */
  close: write("monthEnd.write", { idempotent: true })
    .route({ method: "POST", path: "/month-end/close", summary: "Close a month", tags })
    .errors({
      ...closed,
      NOT_OVER: { status: 409, message: "This month is not over yet." },
      NOT_NEXT: { status: 409, message: "Months close in order." },
      MONEY_DIFFERS: { status: 409, message: "Ledger and records differ. The month stays open until they agree." },
      REASONS_NEEDED: { status: 409, message: "Say why the month closes without what is not done." },
    })
    .input(z.object({ month, idempotencyKey: z.uuid(), reasons: z.partialRecord(z.enum(checkKeys), text(500)) }))
    .output(monthDetail),

  /** Opens the last closed month again, with a reason that stays on record. PROOF_REQUIRED without a fresh proof. */
  reopen: write("monthEnd.reopen", { idempotent: true })
    .route({ method: "POST", path: "/month-end/reopen", summary: "Open a month again", tags })
    .errors({ ...proofRequired, NOT_LAST_CLOSED: { status: 409, message: "Only the last closed month opens again." } })
    .input(z.object({ month, idempotencyKey: z.uuid(), reason }))
    .output(monthDetail),

  /**
   * The bank reconciliation of a month by account: the balance of the statements on its last day, outstanding deposits and
   * payments, lines not posted, lines posted with a later day, and the balance of the ledger. As it was signed where the
   * month is closed, as it is now where it is open.
   */
  bank: read("monthEnd.read")
    .route({ method: "GET", path: "/month-end/bank", summary: "The bank reconciliation of a month", tags })
    .input(z.object({ month }))
    .output(bankReconciliation),

  /** The policies that were active on the first day of a month, and whether they were billed for it. */
  policies: read("monthEnd.read")
    .route({ method: "GET", path: "/month-end/policies", summary: "Policies to be billed for a month", tags })
    .input(listInput(monthPoliciesList))
    .output(listOutput(monthPoliciesList, monthPolicyRow)),

  /** Says why policies are not billed for a month; those that are excused already stay as they are. */
  excuse: write("monthEnd.write", { idempotent: true })
    .route({ method: "POST", path: "/month-end/excuses", summary: "Excuse policies from being billed", tags })
    .errors(closed)
    .input(z.object({ month, policyIds: severalIds, idempotencyKey: z.uuid(), reason }))
    .output(z.object({ excused: z.int() })),

  /** Takes excuses back. */
  takeExcuseBack: write("monthEnd.write", { idempotent: true })
    .route({ method: "POST", path: "/month-end/excuses/take-back", summary: "Take excuses back", tags })
    .errors(closed)
    .input(z.object({ month, policyIds: severalIds, idempotencyKey: z.uuid() }))
    .output(z.object({ takenBack: z.int() })),

  /** Receipts taken up to the end of a month of which something is set against nothing. */
  credits: read("monthEnd.read")
    .route({ method: "GET", path: "/month-end/credits", summary: "Receipts with credit", tags })
    .input(listInput(monthCreditsList))
    .output(listOutput(monthCreditsList, monthCreditRow)),

  /** Says that what is left of receipts is credit on purpose; those that are marked already stay as they are. */
  keepCredit: write("monthEnd.write", { idempotent: true })
    .route({ method: "POST", path: "/month-end/credits/keep", summary: "Leave credit on purpose", tags })
    .input(z.object({ receiptIds: severalIds, idempotencyKey: z.uuid(), reason }))
    .output(z.object({ kept: z.int() })),

  /** Takes that back: the credit is to be allocated. */
  takeCreditUp: write("monthEnd.write", { idempotent: true })
    .route({ method: "POST", path: "/month-end/credits/take-up", summary: "Take left credit up again", tags })
    .input(z.object({ receiptIds: severalIds, idempotencyKey: z.uuid() }))
    .output(z.object({ takenUp: z.int() })),

  /**
   * VAT for a month by class and rate: what counts in it by the ledger. The sums are those of the lines; `ledgerCents` is
   * what the ledger has on VAT output for the month, and `agrees` whether they are equal.
   */
  vatReturn: read("monthEnd.read")
    .route({ method: "GET", path: "/vat-return", summary: "VAT for a month by class", tags })
    .input(listInput(vatReturnList))
    .output(listOutput(vatReturnList, vatReturnRow, { month: day, ledgerCents: cents, agrees: z.boolean() })),

  /** The documents behind it, a row for each class and rate of each. */
  vatDocuments: read("monthEnd.read")
    .route({ method: "GET", path: "/vat-return/documents", summary: "Documents of a month's VAT", tags })
    .input(listInput(vatDocumentsList))
    .output(listOutput(vatDocumentsList, vatDocumentRow)),
}
