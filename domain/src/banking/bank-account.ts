import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import { may, type Role } from "../platform/permission.ts"
import type { RememberedColumns } from "./bank-csv.ts"

/** An account of the organisation at a bank, as it is stored. Its ledger account is "Bank", narrowed to it. */
export interface BankAccount {
  id: string
  name: string
  bank: string
  accountNumber: string
  branchCode: string
  /** The one that receipts and payouts are booked to: the first that was added. */
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

export const bankAccountActions = ["edit", "import"] as const
export type BankAccountAction = (typeof bankAccountActions)[number]

export const bankAccountActionsOf = (role: Role | null): BankAccountAction[] => [
  ...(may(role, "banking.accounts") ? (["edit"] as const) : []),
  ...(may(role, "banking.write") ? (["import"] as const) : []),
]

export const bankStatementActions = ["undo"] as const
