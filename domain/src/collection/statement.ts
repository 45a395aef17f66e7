import type { Day } from "../kernel/calendar.ts"
import { addMonths, firstOfMonth, minDay } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import { debitCreditOf } from "../ledger/account.ts"

/** Allocations are excluded: they do not change the balance. */
export const statementKinds = ["invoice", "credit_note", "receipt", "refund", "write_off", "reversal"] as const
export type StatementKind = (typeof statementKinds)[number]

export const statementKindNames: Record<StatementKind, string> = {
  invoice: "Invoice",
  credit_note: "Credit note",
  receipt: "Receipt",
  refund: "Refund",
  write_off: "Write-off",
  reversal: "Reversal",
}

/** A ledger entry of a policy's account: charge positive, payment negative. */
export interface Movement {
  entryId: string
  on: Day
  kind: StatementKind
  description: string
  record: { kind: string; id: string } | null
  cents: Cents
}

export type StatementLine = Omit<Movement, "cents"> & { chargeCents: Cents; paymentCents: Cents; balanceCents: Cents }

/** Movements in two columns with running balance, in cents. Positive: the policy owes. */
export function statementLines(openingCents: Cents, movements: readonly Movement[]): StatementLine[] {
  let balanceCents = openingCents
  return movements.map(({ cents, ...movement }) => {
    balanceCents += cents
    const { debitCents: chargeCents, creditCents: paymentCents } = debitCreditOf(cents)
    return { ...movement, chargeCents, paymentCents, balanceCents }
  })
}

/** Default start of a statement: three months back, or earlier to include the oldest open invoice. */
export function statementStart(today: Day, oldestOpenOn: Day | null): Day {
  const usual = addMonths(firstOfMonth(today), -3)
  return oldestOpenOn === null ? usual : minDay(usual, firstOfMonth(oldestOpenOn))
}
