import { type Day, formatMonth } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import { hasPermission, type Role } from "../platform/permission.ts"
import type { RememberedColumns } from "./bank-csv.ts"

export interface BankAccount {
  id: string
  name: string
  bank: string
  accountNumber: string
  branchCode: string
  /** The account added first. Manual transfers, and payments without an account, are posted to it. */
  isMain: boolean
  /** First day of the statements and the balance before it; null until the first import. */
  openedOn: Day | null
  openingCents: Cents | null
  /** The part of the opening balance that was posted. The rest was already in the ledger. */
  openingPostedCents: Cents | null
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
  ...(hasPermission(role, "banking.accounts") ? (["edit"] as const) : []),
  ...(hasPermission(role, "banking.accounts") && openedOn !== null ? (["correctOpening"] as const) : []),
  ...(hasPermission(role, "banking.write") ? (["import"] as const) : []),
]

export interface OpeningChange {
  openingCents: Cents
  openingPostedCents: Cents
  byCents: Cents
}

/**
 * Corrects an account's opening balance in cents; the posted part changes by the same amount. `openFrom` is the first
 * open day: an opening in a closed month is refused.
 */
export function correctOpening(
  { name, openedOn, openingCents, openingPostedCents }: Omit<BankAccount, "columns">,
  correctCents: Cents,
  openFrom: Day,
): Decision<OpeningChange, "NOT_OPENED" | "SAME" | "CLOSED"> {
  if (openedOn === null || openingCents === null || openingPostedCents === null) return refuse("NOT_OPENED")
  if (openedOn < openFrom) {
    const month = formatMonth(openedOn)
    return refuse("CLOSED", `${name} starts in ${month}, which is closed. Reopen the month first. Nothing was changed.`)
  }
  const byCents = correctCents - openingCents
  if (byCents === 0) return refuse("SAME")
  return { openingCents: correctCents, openingPostedCents: openingPostedCents + byCents, byCents }
}

export const bankStatementActions = ["undo"] as const
