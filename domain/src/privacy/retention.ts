import type { ClaimStatus } from "../claims/claim.ts"
import { addDays, type Day } from "../kernel/calendar.ts"

/** In order of removal. Members include their dependents, claims and documents. */
export const retentionKinds = [
  "members",
  "removed_people",
  "mails",
  "staff_lists",
  "invoices",
  "credit_notes",
  "remittances",
  "bank_files",
] as const
export type RetentionKind = (typeof retentionKinds)[number]

export const retentionTexts: Record<RetentionKind, { one: string; many: string; what: string }> = {
  members: {
    one: "member",
    many: "members",
    what: "anonymised, with dependents, claims, documents, e-mails and their details in the audit trail",
  },
  removed_people: {
    one: "person removed from a draft",
    many: "people removed from drafts",
    what: "their details in the audit trail become unreadable",
  },
  mails: { one: "e-mail", many: "e-mails", what: "deleted" },
  staff_lists: { one: "staff list", many: "staff lists", what: "deleted, with their rows" },
  invoices: { one: "invoice PDF", many: "invoice PDFs", what: "deleted; the invoices are kept" },
  credit_notes: { one: "credit note PDF", many: "credit note PDFs", what: "deleted; the credit notes are kept" },
  remittances: { one: "remittance list", many: "remittance lists", what: "deleted; their results are kept" },
  bank_files: {
    one: "bank file",
    many: "bank files",
    what: "payment files, bank responses and statement files are deleted; payments and bank lines are kept",
  },
}

export type RetentionCounts = Partial<Record<RetentionKind, number>>

export const isEmptyCount = (counts: RetentionCounts): boolean => retentionKinds.every((kind) => !counts[kind])

/** Accounting records must be retained for at least five years (Tax Administration Act, FICA); seven are usual. */
export const minRetentionYears = 5
export const maxRetentionYears = 30

/** Automatic removal waits this many days after listing. */
export const minPreviewDays = 7
/** A confirmation is valid this many days. */
export const confirmationValidDays = 365

/** Exclusive bound: records that ended before this day are due. 29 February becomes the 28th in other years. */
export function retentionEndOn(today: Day, years: number): Day {
  const [year, month, day] = today.split("-").map(Number) as [number, number, number]
  const then = year - years
  const isLeap = (then % 4 === 0 && then % 100 !== 0) || then % 400 === 0
  const on = month === 2 && day === 29 && !isLeap ? 28 : day
  return `${String(then).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(on).padStart(2, "0")}`
}

/**
 * Removal needs a confirmation less than a year old, or `isAutomatic` and a week since listing. `confirmedOn` and
 * `shownSince` refer to the current number of retention years.
 */
export function canRemove(asked: {
  today: Day
  isAutomatic: boolean
  confirmedOn: Day | null
  shownSince: Day | null
}): boolean {
  const { today, isAutomatic, confirmedOn, shownSince } = asked
  if (confirmedOn !== null && today <= addDays(confirmedOn, confirmationValidDays)) return true
  return isAutomatic && shownSince !== null && today >= addDays(shownSince, minPreviewDays)
}

/** A member's records that may prevent anonymising; `lastOn` is the day of a record's last event. */
export interface PersonTies {
  status: "Pending" | "Active" | "Suspended" | "Terminated"
  endOn: Day | null
  claims: { status: ClaimStatus; lastOn: Day }[]
  payments: { status: "pending" | "processing" | "completed" | "failed" | "cancelled" | "returned"; lastOn: Day }[]
  refunds: { status: "pending" | "processing" | "completed" | "failed" | "cancelled"; lastOn: Day }[]
  invoices: { status: "draft" | "pending" | "approved" | "sent" | "cancelled"; invoiceOn: Day; openCents: number }[]
  /** Days of credit notes for the person's premiums. */
  creditedOn: Day[]
}

/**
 * Whether a member can be anonymised: membership ended before `before` (exclusive), and every claim, payment, refund
 * and invoice is finished and older. The database function `may_forget` has the same rule.
 */
export function canForget({ status, endOn, ...ties }: PersonTies, before: Day): boolean {
  if (status !== "Terminated" || endOn === null || endOn >= before) return false
  const isOver = (final: readonly string[]) => (one: { status: string; lastOn: Day }) =>
    final.includes(one.status) && one.lastOn < before
  return (
    ties.claims.every(isOver(["draft", "paid", "rejected", "withdrawn"])) &&
    ties.payments.every(isOver(["completed", "cancelled", "returned"])) &&
    ties.refunds.every(isOver(["completed", "failed", "cancelled"])) &&
    ties.invoices.every(
      ({ status, invoiceOn, openCents }) =>
        invoiceOn < before && (status === "cancelled" || (status === "sent" && openCents === 0)),
    ) &&
    ties.creditedOn.every((on) => on < before)
  )
}
