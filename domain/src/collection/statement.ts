import type { Day } from "../kernel/calendar.ts"
import { addMonths, firstOfMonth, minDay } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import { sides } from "../ledger/account.ts"

/** What moves a policy's account; an allocation moves nothing: it is the credit that pays the debt. */
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

/** An entry of the ledger as it moves what a policy owes: a charge above zero, a payment below. */
export interface Movement {
  entryId: string
  on: Day
  kind: StatementKind
  description: string
  record: { kind: string; id: string } | null
  cents: Cents
}

export type StatementLine = Omit<Movement, "cents"> & { chargeCents: Cents; paymentCents: Cents; balanceCents: Cents }

/** The movements on their two columns, each with the balance after it. Above zero the policy owes. Units: cents. */
export function statementLines(openingCents: Cents, movements: readonly Movement[]): StatementLine[] {
  let balanceCents = openingCents
  return movements.map(({ cents, ...movement }) => {
    balanceCents += cents
    const { debitCents: chargeCents, creditCents: paymentCents } = sides(cents)
    return { ...movement, chargeCents, paymentCents, balanceCents }
  })
}

/** Where a statement begins when nobody says so: three months back, and early enough to show the oldest open invoice. */
export function statementStart(today: Day, oldestOpenOn: Day | null): Day {
  const usual = addMonths(firstOfMonth(today), -3)
  return oldestOpenOn === null ? usual : minDay(usual, firstOfMonth(oldestOpenOn))
}
