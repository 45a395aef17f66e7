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
 * The premiums of a policy, as far as cover on a day rests on them:
 * - `unpaid`: the day is after the grace days of an unpaid premium, or a month before today's was never billed
 * - `not_due`: an open premium is not due yet, or today's own month is not billed yet
 * - `in_grace`: premiums are overdue, and the day is within the grace days of each: cover stood
 * - `paid`: nothing is open
 */
export const premiumStates = ["paid", "in_grace", "not_due", "unpaid"] as const

export interface PremiumStanding {
  state: (typeof premiumStates)[number]
  /** Unpaid, and their grace days had ended by the day in question. */
  late: OpenPremium[]
  /** Overdue today, and the day in question is within their grace days. */
  inGrace: OpenPremium[]
  /** Open, and not due yet. */
  notDue: OpenPremium[]
  neverBilled: Day[]
  notBilledYet: Day[]
}

/**
 * Whether the premiums that cover on the day `on` rests on are paid. Payments and bills count as known today. Cover stands
 * through the grace days of an unpaid premium (`graceUntil`), so a day within them is covered, whenever it is judged.
 */
export function premiumStanding(
  { open, unbilled }: Pick<PremiumEvidence, "open" | "unbilled">,
  { on, today }: { on: Day; today: Day },
  graceDays: number,
): PremiumStanding {
  const notDue = open.filter(({ dueOn }) => dueOn >= today)
  const overdue = open.filter(({ dueOn }) => dueOn < today)
  const late = overdue.filter(({ dueOn }) => on > graceUntil(dueOn, graceDays))
  const inGrace = overdue.filter(({ dueOn }) => on <= graceUntil(dueOn, graceDays))
  const neverBilled = unbilled.filter((month) => monthOf(month) < monthOf(today))
  const notBilledYet = unbilled.filter((month) => monthOf(month) >= monthOf(today))
  const state =
    late.length > 0 || neverBilled.length > 0
      ? "unpaid"
      : notDue.length > 0 || notBilledYet.length > 0
        ? "not_due"
        : inGrace.length > 0
          ? "in_grace"
          : "paid"
  return { state, late, inGrace, notDue, neverBilled, notBilledYet }
}
