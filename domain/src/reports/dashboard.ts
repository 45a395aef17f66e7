import { addDays, addMonths, type Day, firstOfMonth } from "../kernel/calendar.ts"
import { percentOf } from "../kernel/column-total.ts"
import type { Role } from "../platform/permission.ts"

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

/** How many months the dashboard looks back, this one among them. */
export const monthsBack = 12

/** The first days of the last twelve months, the oldest first, this one last. */
export const monthsTo = (today: Day): Day[] =>
  Array.from({ length: monthsBack }, (_, place) => addMonths(firstOfMonth(today), place - monthsBack + 1))

/** The last days of the eleven months before this one, the oldest first: what is kept as each ended. */
export const monthEndsBefore = (today: Day): Day[] =>
  monthsTo(today)
    .slice(1)
    .map((first) => addDays(first, -1))

/**
 * The charts of the dashboard. Months are those of the last twelve, this one as far as it has come.
 *
 * - `money`: what invoices of the month asked for, less credit notes of it, and receipts of it that stand; cents.
 * - `invoiced`: of invoices of the month, what is paid and what is still open, in cents: for those who see no receipts.
 * - `claims`: claims submitted in the month by where they stand now, and the days that deciding took, on average.
 * - `experience`: premium earned by the month that it covers, claims incurred by the month in which they count, and the
 *   ledger's premium income of the month; cents.
 * - `members`: members who were Active at the end of the month, and today.
 * - `ageing`: what is owed today by how long it has been overdue; cents.
 */
export const dashboardCharts = ["money", "invoiced", "claims", "experience", "members", "ageing"] as const
export type DashboardChart = (typeof dashboardCharts)[number]

/** Which charts a role has, in their order: what it may not read is in none of them. */
export const chartsOfRole: Record<Role, readonly DashboardChart[]> = {
  admin: ["money", "claims", "members", "ageing"],
  manager: ["money", "claims", "members", "ageing"],
  underwriter: ["experience", "claims", "members"],
  group_admin: ["members", "invoiced", "claims"],
  policy_holder: ["invoiced", "ageing", "claims"],
}

/** The part of premium that claims took, in per cent to one decimal; null where there was no premium. Both in cents. */
export const lossRatioOf = (incurred: number, earned: number): number | null => percentOf(incurred, earned)
