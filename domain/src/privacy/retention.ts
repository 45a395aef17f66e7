import type { ClaimStatus } from "../claims/claim.ts"
import { addDays, type Day } from "../kernel/calendar.ts"

/** What is removed, in the order in which it is. Members stand for what is theirs: dependents, claims, documents. */
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

/** What becomes of each kind, as people read it. */
export const retentionWords: Record<RetentionKind, { one: string; many: string; what: string }> = {
  members: {
    one: "member",
    many: "members",
    what: "made anonymous, with dependents, claims, documents, mails and what the audit trail says of them",
  },
  removed_people: {
    one: "person removed from a draft",
    many: "people removed from drafts",
    what: "what the audit trail says of them can be read by nobody any more",
  },
  mails: { one: "mail", many: "mails", what: "deleted" },
  staff_lists: { one: "staff list", many: "staff lists", what: "deleted, with their rows" },
  invoices: { one: "invoice PDF", many: "invoice PDFs", what: "deleted; the invoices stay" },
  credit_notes: { one: "credit note PDF", many: "credit note PDFs", what: "deleted; the credit notes stay" },
  remittances: { one: "remittance list", many: "remittance lists", what: "deleted; their result stays" },
  bank_files: {
    one: "file of the bank",
    many: "files of the bank",
    what: "payment files, their answers and statement files are deleted; payments and lines stay",
  },
}

export type RetentionCounts = Partial<Record<RetentionKind, number>>

export const nothingIn = (counts: RetentionCounts): boolean => retentionKinds.every((kind) => !counts[kind])

/** The law keeps the books and what they rest on for five years at least (Tax Administration Act, FICA); most say seven. */
export const fewestYears = 5
export const mostYears = 30

/** A removal by itself waits so many days after it was first shown. */
export const shownForDays = 7
/** What was confirmed once goes on by itself for so long. */
export const confirmedForDays = 365

/** What ended before this day is past its years; on 29 February from the 28th of a year without one. */
export function endOfRetention(today: Day, years: number): Day {
  const [year, month, day] = today.split("-").map(Number) as [number, number, number]
  const then = year - years
  const isLeap = (then % 4 === 0 && then % 100 !== 0) || then % 400 === 0
  const on = month === 2 && day === 29 && !isLeap ? 28 : day
  return `${String(then).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(on).padStart(2, "0")}`
}

/**
 * Whether what is due may be removed on this day: an administrator confirmed it within a year, or the settings let it go
 * by itself and it has been on show for a week. `confirmedOn` and `shownSince` are of the years that the settings name now.
 */
export function mayRemove(asked: {
  today: Day
  isAutomatic: boolean
  confirmedOn: Day | null
  shownSince: Day | null
}): boolean {
  const { today, isAutomatic, confirmedOn, shownSince } = asked
  if (confirmedOn !== null && today <= addDays(confirmedOn, confirmedForDays)) return true
  return isAutomatic && shownSince !== null && today >= addDays(shownSince, shownForDays)
}

/** What keeps a person's data, as far as the database asks; days are those of the last thing that happened with it. */
export interface Ties {
  status: "Pending" | "Active" | "Suspended" | "Terminated"
  endOn: Day | null
  claims: { status: ClaimStatus; lastOn: Day }[]
  payments: { status: "pending" | "processing" | "completed" | "failed" | "cancelled" | "returned"; lastOn: Day }[]
  refunds: { status: "pending" | "processing" | "completed" | "failed" | "cancelled"; lastOn: Day }[]
  /** Those that bill the person. */
  invoices: { status: "draft" | "pending" | "approved" | "sent" | "cancelled"; invoiceOn: Day; openCents: number }[]
  /** Days of the credit notes that credit what was billed for the person. */
  creditedOn: Day[]
}

/**
 * Whether a member may be made anonymous when what ended before `before` is past its years: membership has ended, and
 * nothing that was claimed, paid, refunded or billed is open or younger. The database says the same (`may_forget`).
 */
export function mayForget({ status, endOn, ...ties }: Ties, before: Day): boolean {
  if (status !== "Terminated" || endOn === null || endOn >= before) return false
  const isOver = (final: readonly string[]) => (one: { status: string; lastOn: Day }) =>
    final.includes(one.status) && one.lastOn < before
  return (
    ties.claims.every(isOver(["draft", "paid", "rejected"])) &&
    ties.payments.every(isOver(["completed", "cancelled", "returned"])) &&
    ties.refunds.every(isOver(["completed", "failed", "cancelled"])) &&
    ties.invoices.every(
      ({ status, invoiceOn, openCents }) =>
        invoiceOn < before && (status === "cancelled" || (status === "sent" && openCents === 0)),
    ) &&
    ties.creditedOn.every((on) => on < before)
  )
}
