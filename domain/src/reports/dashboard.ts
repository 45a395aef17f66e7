import { addDays, addMonths, type Day, firstOfMonth } from "../kernel/calendar.ts"
import { percentOf } from "../kernel/column-total.ts"
import type { Role } from "../platform/permission.ts"

/**
 * The cards. Each compares a figure of today with last month's.
 *
 * - `activePolicies`: policies with status Active on the day, started or not.
 * - `totalMembers`: members with status Active on the day, started or not.
 * - `pendingClaims`: claims submitted and undecided at the end of the day.
 * - `outstandingPremiums`: sent invoices less credit notes and allocations up to the day; cents.
 * - `claimsProcessed`: claims approved or rejected in the month, up to the day.
 * - `overduePayments`: sent invoices past due and not fully paid on the day.
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

export interface Comparison {
  /** Today, and the last day of last month. */
  asOf: Day
  asOfBefore: Day
  /** The month so far: its first day to today. Before: as many days of the previous month, at most all of it. */
  from: Day
  to: Day
  fromBefore: Day
  toBefore: Day
}

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

/** Whole per cent, rounded; null when `before` is 0. */
export function changePercent(now: number, before: number): number | null {
  return before === 0 ? null : Math.round(((now - before) / before) * 100)
}

export const monthsShown = 12

/** First days of the last twelve months including this one, oldest first. */
export const monthsUpTo = (today: Day): Day[] =>
  Array.from({ length: monthsShown }, (_, place) => addMonths(firstOfMonth(today), place - monthsShown + 1))

/** Last days of the eleven months before this one, oldest first. */
export const monthEndsBefore = (today: Day): Day[] =>
  monthsUpTo(today)
    .slice(1)
    .map((first) => addDays(first, -1))

/**
 * The charts, over the last twelve months including the current one; amounts in cents.
 *
 * - `money`: invoiced in the month less its credit notes, and its unreversed receipts.
 * - `invoiced`: paid and open amounts of the month's invoices, for roles that see no receipts.
 * - `claims`: claims submitted in the month by current status, and average days to decision.
 * - `experience`: premium by month covered, claims by month incurred, and the ledger's premium income.
 * - `members`: Active members at the end of each month, and today.
 * - `ageing`: amounts owed today by days overdue.
 */
export const dashboardCharts = ["money", "invoiced", "claims", "experience", "members", "ageing"] as const
export type DashboardChart = (typeof dashboardCharts)[number]

/** No chart contains data that the role may not read. */
export const chartsOfRole: Record<Role, readonly DashboardChart[]> = {
  admin: ["money", "claims", "members", "ageing"],
  manager: ["money", "claims", "members", "ageing"],
  underwriter: ["experience", "claims", "members"],
  group_admin: ["members", "invoiced", "claims"],
  policy_holder: ["invoiced", "ageing", "claims"],
}

/** Per cent to one decimal; null without premium. Both in cents. */
export const lossRatioOf = (incurred: number, earned: number): number | null => percentOf(incurred, earned)
