import { addDays, addMonths, type Day, firstOfMonth } from "../kernel/calendar.ts"

/**
 * The six cards of the dashboard. Each is a figure of today and the same figure of last month.
 *
 * - `activePolicies`: policies whose status was Active on the day: in force, or activated and still to start.
 * - `totalMembers`: members whose status was Active on the day: covered beyond it, or added and still to start.
 * - `pendingClaims`: claims that were submitted by the day and neither approved nor rejected by it.
 * - `outstandingPremiums`: what sent invoices asked for by the day, less credit notes and what was allocated by it; cents.
 * - `claimsProcessed`: claims that were approved or rejected in the month, up to the day.
 * - `overduePayments`: sent invoices whose due day had passed on the day and that still wanted money.
 */
export const dashboardCards = [
  "activePolicies",
  "totalMembers",
  "pendingClaims",
  "outstandingPremiums",
  "claimsProcessed",
  "overduePayments",
] as const
export type DashboardCard = (typeof dashboardCards)[number]

/** The days that the cards compare. */
export interface Comparison {
  /** Figures of a day: today, and the last day of last month. */
  asOf: Day
  asOfBefore: Day
  /** Figures of a month: from its first day to today, and as many days of last month (all of it, where it is shorter). */
  from: Day
  to: Day
  fromBefore: Day
  toBefore: Day
}

/** What "versus last month" means on a day. */
export function comparisonOn(today: Day): Comparison {
  const from = firstOfMonth(today)
  const fromBefore = addMonths(from, -1)
  return {
    asOf: today,
    asOfBefore: addDays(from, -1),
    from,
    to: today,
    fromBefore,
    toBefore: addMonths(today, -1),
  }
}

/** The change in per cent, rounded; null where there was nothing last month to compare with. */
export function changePercent(now: number, before: number): number | null {
  return before === 0 ? null : Math.round(((now - before) / before) * 100)
}
