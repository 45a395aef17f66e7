import { addDays, type Day, isoMonthOf } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"

/** Default days of cover after an unpaid due date (Policyholder Protection Rules, 15A). */
export const defaultGraceDays = 15

/** Last day of cover, inclusive, for an unpaid premium. */
export const graceEndOn = (dueOn: Day, graceDays: number): Day => addDays(dueOn, graceDays)

export interface OpenPremium {
  number: string
  dueOn: Day
  openCents: Cents
}

export interface PremiumEvidence {
  /** Unpaid premium invoices whose period began by that day, earliest due first. */
  open: OpenPremium[]
  /** First days of months up to that day that owe a premium without a sent invoice. */
  unbilled: Day[]
  monthsOwed: number
}

/**
 * Premium status for cover on a day:
 * - `unpaid`: after the grace days of an unpaid premium, or a month before the current one was never billed
 * - `not_due`: an open premium is not due, or the current month is not billed
 * - `in_grace`: overdue, but within the grace days, so covered
 * - `paid`: no open premium
 */
export const premiumStates = ["paid", "in_grace", "not_due", "unpaid"] as const

export const premiumStateNames: Record<(typeof premiumStates)[number], string> = {
  paid: "Paid",
  in_grace: "In grace",
  not_due: "Not yet due",
  unpaid: "Unpaid",
}

export interface PremiumStanding {
  state: (typeof premiumStates)[number]
  /** Unpaid premiums whose grace days ended before the day. */
  late: OpenPremium[]
  /** Overdue premiums whose grace days include the day. */
  inGrace: OpenPremium[]
  notDue: OpenPremium[]
  neverBilled: Day[]
  notBilledYet: Day[]
}

/**
 * Uses payments and invoices known today. Days up to `graceEndOn` of an unpaid premium count as covered, also in
 * retrospect.
 */
export function premiumStanding(
  { open, unbilled }: Pick<PremiumEvidence, "open" | "unbilled">,
  { on, today }: { on: Day; today: Day },
  graceDays: number,
): PremiumStanding {
  const notDue = open.filter(({ dueOn }) => dueOn >= today)
  const overdue = open.filter(({ dueOn }) => dueOn < today)
  const late = overdue.filter(({ dueOn }) => on > graceEndOn(dueOn, graceDays))
  const inGrace = overdue.filter(({ dueOn }) => on <= graceEndOn(dueOn, graceDays))
  const neverBilled = unbilled.filter((month) => isoMonthOf(month) < isoMonthOf(today))
  const notBilledYet = unbilled.filter((month) => isoMonthOf(month) >= isoMonthOf(today))
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
