import type { Day } from "../kernel/calendar.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import type { CallOutcome } from "./collection.ts"

/** Collection facts are internal to the insurer: groups cannot read them. */
interface CollectionFactHead {
  record: { kind: "policy"; id: string; label: string }
  groupId: null
}

export type CollectionFact = CollectionFactHead &
  (
    | {
        type: "PremiumCallLogged"
        outcome: CallOutcome
        promisedCents: Cents | null
        promisedOn: Day | null
        reason?: string
      }
    | { type: "PremiumReminderSent" | "NonPaymentNoticeSent"; to: string; owedCents: Cents }
  )

type FactOf<T extends CollectionFact["type"]> = Extract<CollectionFact, { type: T }>

export const collectionSentences: { [T in CollectionFact["type"]]: (fact: FactOf<T>, currency: Currency) => string } = {
  PremiumCallLogged: ({ outcome, promisedCents, promisedOn }, currency) => {
    if (outcome === "promise")
      return `called about the premiums: ${formatMoney(promisedCents ?? 0, currency)} promised by ${promisedOn}`
    const said = { reached: "employer reached", no_answer: "no answer", dispute: "premiums disputed" }
    return `called about the premiums: ${said[outcome]}`
  },
  NonPaymentNoticeSent: ({ to }) => `sent ${to} a notice of non-payment`,
  PremiumReminderSent: ({ to, owedCents }, currency) => `sent ${to} a reminder for ${formatMoney(owedCents, currency)}`,
}
