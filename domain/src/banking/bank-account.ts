import { type Day, formatMonth } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import { may, type Role } from "../platform/permission.ts"
import type { RememberedColumns } from "./bank-csv.ts"

/** An account of the organisation at a bank, as it is stored. Its ledger account is "Bank", narrowed to it. */
export interface BankAccount {
  id: string
  name: string
  bank: string
  accountNumber: string
  branchCode: string
  /** The first that was added: transfers recorded by hand and payouts without an account are booked to it. */
  isMain: boolean
  /** Where its statements begin here, and the balance before that; null until the first one is imported. */
  openedOn: Day | null
  openingCents: Cents | null
  /** What of it was posted: the ledger had the rest, from receipts and payouts before that day. */
  openingPostedCents: Cents | null
  /** When it was opened here; ISO text. */
  openedAt: string | null
  columns: RememberedColumns | null
  version: number
}

export const bankAccountActions = ["edit", "correctOpening", "import"] as const
export type BankAccountAction = (typeof bankAccountActions)[number]

export const bankAccountActionsOf = (
  { openedOn }: Pick<BankAccount, "openedOn">,
  role: Role | null,
): BankAccountAction[] => [
  ...(may(role, "banking.accounts") ? (["edit"] as const) : []),
  ...(may(role, "banking.accounts") && openedOn !== null ? (["correctOpening"] as const) : []),
  ...(may(role, "banking.write") ? (["import"] as const) : []),
]

/** What an account began with, corrected; by how much is posted. Units: cents. */
export interface OpeningChange {
  openingCents: Cents
  openingPostedCents: Cents
  byCents: Cents
}

/**
 * The balance with which an account begins here, where it was typed wrongly: what was posted of it changes by as much.
 * `openFrom` is the first day on which something may be posted; what the closed months say stays as it was.
 */
export function correctOpening(
  { name, openedOn, openingCents, openingPostedCents }: Omit<BankAccount, "columns">,
  correctCents: Cents,
  openFrom: Day,
): Decision<OpeningChange, "NOT_OPENED" | "SAME" | "CLOSED"> {
  if (openedOn === null || openingCents === null || openingPostedCents === null) return refuse("NOT_OPENED")
  if (openedOn < openFrom) {
    const month = formatMonth(openedOn)
    return refuse(
      "CLOSED",
      `${name} begins in ${month}, which is closed. Open the month again first. Nothing was changed.`,
    )
  }
  const byCents = correctCents - openingCents
  if (byCents === 0) return refuse("SAME")
  return { openingCents: correctCents, openingPostedCents: openingPostedCents + byCents, byCents }
}

export const bankStatementActions = ["undo"] as const
