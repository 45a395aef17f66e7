import { type Day, daysBetween, todayInTimezone } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import { type ClaimStatus, type ClaimType, type DocumentType, type Stage, stageNames } from "./claim.ts"
import { stageOf } from "./claim-lifecycle.ts"

export const priorities = ["Urgent", "High", "Medium"] as const
export type Priority = (typeof priorities)[number]

/**
 * Conditions for a pending claim to be Urgent or High; any one is enough, and other claims are Medium. The pending list
 * sorts by the same figures in SQL.
 */
export const priorityRules = {
  urgent: { claimType: "death", overDays: 7 },
  high: { claimType: "disability", fromCents: 10_000_000, overDays: 3 },
} as const satisfies Record<string, { claimType: ClaimType; overDays: number; fromCents?: Cents }>

/** Pending claims that wait longer are highlighted (specification 1, section 9). */
export const highlightOverDays = 7

/**
 * A claim within this many days of joining, or outside the membership, is unusual and needs a close check by the
 * underwriter.
 */
export const recentJoinerDays = 90

/** The priority of a claim by type, requested amount (cents) and days waited. */
export function claimPriority(claim: {
  claimType: ClaimType | null
  requestedAmountCents: Cents | null
  waitingDays: number
}): Priority {
  const { urgent, high } = priorityRules
  if (claim.claimType === urgent.claimType || claim.waitingDays > urgent.overDays) return "Urgent"
  if (
    claim.claimType === high.claimType ||
    (claim.requestedAmountCents ?? 0) >= high.fromCents ||
    claim.waitingDays > high.overDays
  ) {
    return "High"
  }
  return "Medium"
}

/** Whole days from submission to today in the organisation's time zone; 0 on the day of submission. */
export function daysWaiting(submittedAt: string, today: Day, timezone: string): number {
  return daysBetween(todayInTimezone(Temporal.Instant.from(submittedAt), timezone), today)
}

export const pendingStates = ["Pending Review", "Documentation Required", "Under Assessment"] as const
export type PendingState = (typeof pendingStates)[number]

export function pendingState(claim: {
  status: ClaimStatus
  requestedDocuments: readonly DocumentType[]
}): PendingState {
  if (claim.requestedDocuments.length > 0) return "Documentation Required"
  return claim.status === "submitted" ? "Pending Review" : "Under Assessment"
}

/** "Assigned to" in the pending list: the role of the pending stage, or else the reviewing manager. */
export function assigneeName(status: ClaimStatus, reviewerName: string | null): string {
  const stage: Stage | null = stageOf(status)
  return stage ? stageNames[stage] : (reviewerName ?? "Unassigned")
}
