import type { Day } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import type { PayoutSubject } from "./payout.ts"

interface PayoutFactHead {
  record: { kind: "payout"; id: string; label: string }
  groupId: string
  subject: PayoutSubject
}

export type PayoutFact = PayoutFactHead &
  (
    | { type: "PayoutMade"; amountCents: Cents; after: Record<string, unknown> }
    | { type: "PayoutPayeeChanged"; before: Record<string, unknown>; after: Record<string, unknown> }
    | { type: "PayoutPayeeConfirmed" }
    | { type: "PayoutReleased"; amountCents: Cents }
    | { type: "PayoutCompleted"; amountCents: Cents; completedOn: Day }
    | { type: "PayoutFailed"; reason: string }
    | { type: "PayoutRetried" }
    | { type: "PayoutCancelled"; reason: string }
    | { type: "PayoutReturned"; amountCents: Cents; returnedOn: Day; reason: string }
    | { type: "PayoutCompletionTakenBack"; amountCents: Cents; reason: string }
    | { type: "PayoutReturnTakenBack"; amountCents: Cents; completedOn: Day; reason: string }
  )

type FactOf<T extends PayoutFact["type"]> = Extract<PayoutFact, { type: T }>

export const payoutSentences: { [T in PayoutFact["type"]]: (fact: FactOf<T>, currency: Currency) => string } = {
  PayoutMade: (fact, currency) => `prepared the payment of ${formatMoney(fact.amountCents, currency)}`,
  PayoutPayeeChanged: () => "changed the payee",
  PayoutPayeeConfirmed: () => "confirmed the payee, which differs from an earlier payment",
  PayoutReleased: () => "released the payment",
  PayoutCompleted: () => "completed the payment",
  PayoutFailed: () => "marked the payment as failed",
  PayoutRetried: () => "returned the payment to be released again",
  PayoutCancelled: () => "cancelled the payment",
  PayoutReturned: () => "recorded the return of the payment",
  PayoutCompletionTakenBack: () => "undid the completion of the payment",
  PayoutReturnTakenBack: () => "undid the return of the payment",
}
