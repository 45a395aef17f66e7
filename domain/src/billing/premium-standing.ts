import { addDays, type Day, monthOf } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"

/** Days after the due day for which cover stands without payment (Policyholder Protection Rules, 15A), until set. */
export const usualGraceDays = 15

/** The last day on which an unpaid premium of this due day still keeps the cover. */
export const graceUntil = (dueOn: Day, graceDays: number): Day => addDays(dueOn, graceDays)

/** A sent premium invoice that still asks for money. */
export interface OpenPremium {
  number: string
  dueOn: Day
  openCents: Cents
}

export interface PremiumEvidence {
  /** Open premium invoices whose period began by the day in question, the earliest due first. */
  open: OpenPremium[]
  /** The first days of the months up to that day that owe a premium and that no sent invoice bills, in order. */
  unbilled: Day[]
  /** How many months up to that day owe a premium, billed or not. */
  monthsOwed: number
}

/**
 * How the premiums of a policy stand:
 * - `unpaid`: something is past its grace days, or a month before today's was never billed
 * - `not_due`: something is open, all of it within its grace days, or today's own month is not billed yet
 * - `paid`: neither
 */
export const premiumStates = ["paid", "not_due", "unpaid"] as const

export interface PremiumStanding {
  state: (typeof premiumStates)[number]
  /** Past their grace days. */
  late: OpenPremium[]
  /** Open, and within their grace days. */
  inGrace: OpenPremium[]
  neverBilled: Day[]
  notBilledYet: Day[]
}

/**
 * Whether premiums are paid. What is billed and paid counts as known today, and so does what is late: an invoice is
 * late on the day after its grace days, whenever the claim happened.
 */
export function premiumStanding(
  { open, unbilled }: Pick<PremiumEvidence, "open" | "unbilled">,
  today: Day,
  graceDays: number,
): PremiumStanding {
  const late = open.filter(({ dueOn }) => today > graceUntil(dueOn, graceDays))
  const inGrace = open.filter(({ dueOn }) => today <= graceUntil(dueOn, graceDays))
  const neverBilled = unbilled.filter((month) => monthOf(month) < monthOf(today))
  const notBilledYet = unbilled.filter((month) => monthOf(month) >= monthOf(today))
  const state =
    late.length > 0 || neverBilled.length > 0
      ? "unpaid"
      : inGrace.length > 0 || notBilledYet.length > 0
        ? "not_due"
        : "paid"
  return { state, late, inGrace, neverBilled, notBilledYet }
}
