import { type Day, daysBetween } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"

export const ageBuckets = ["current", "days1to30", "days31to60", "days61to90", "over90"] as const

export type AgeBucket = (typeof ageBuckets)[number]

export const ageBucketNames: Record<AgeBucket, string> = {
  current: "Not due",
  days1to30: "1–30 days",
  days31to60: "31–60 days",
  days61to90: "61–90 days",
  over90: "Over 90 days",
}

/** Days overdue, inclusive; null = unbounded. An amount due today is not overdue. */
export const ageBucketDays: Record<AgeBucket, { from: number | null; to: number | null }> = {
  current: { from: null, to: 0 },
  days1to30: { from: 1, to: 30 },
  days31to60: { from: 31, to: 60 },
  days61to90: { from: 61, to: 90 },
  over90: { from: 91, to: null },
}

export function ageBucketOf(dueOn: Day, asOf: Day): AgeBucket {
  const overdue = daysBetween(dueOn, asOf)
  return ageBuckets.find((bucket) => overdue <= (ageBucketDays[bucket].to ?? Number.POSITIVE_INFINITY))!
}

export type AgeAmounts = Record<AgeBucket, Cents>
