import { type Day, daysBetween, todayIn } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import { type ClaimStatus, type ClaimType, type DocumentType, type Stage, stageNames } from "./claim.ts"
import { stageOf } from "./claim-lifecycle.ts"

export const priorities = ["Urgent", "High", "Medium"] as const
export type Priority = (typeof priorities)[number]

/**
 * When a pending claim is Urgent or High (design: product, "Claims"): any one reason is enough; the rest is Medium.
 * The pending list sorts by the same figures in SQL.
 */
export const priorityRules = {
  urgent: { claimType: "death", overDays: 7 },
  high: { claimType: "disability", fromCents: 10_000_000, overDays: 3 },
} as const satisfies Record<string, { claimType: ClaimType; overDays: number; fromCents?: Cents }>

/** A pending claim that waits longer than this is highlighted (specification 1, section 9). */
export const highlightOverDays = 7

/**
 * A claim whose incident came within so many days of joining has an unusual cover, as has one outside the membership: an
 * underwriter looks at it twice.
 */
export const soonAfterJoiningDays = 90

/** How urgent a claim is, by its type, what is requested (cents) and the days it has waited. */
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

/** Whole days from the day of submission, in the house's timezone, to today: 0 on the day itself. */
export function waitingDays(submittedAt: string, today: Day, timezone: string): number {
  return daysBetween(todayIn(Temporal.Instant.from(submittedAt), timezone), today)
}

export const pendingStates = ["Pending Review", "Documentation Required", "Under Assessment"] as const
export type PendingState = (typeof pendingStates)[number]

/** The word of the pending list for where a claim stands. */
export function pendingState(claim: {
  status: ClaimStatus
  requestedDocuments: readonly DocumentType[]
}): PendingState {
  if (claim.requestedDocuments.length > 0) return "Documentation Required"
  return claim.status === "submitted" ? "Pending Review" : "Under Assessment"
}

/** Whom the pending list calls "Assigned to": the role whose stage it is, or the manager who took it. */
export function assignedTo(status: ClaimStatus, reviewerName: string | null): string {
  const stage: Stage | null = stageOf(status)
  return stage ? stageNames[stage] : (reviewerName ?? "Unassigned")
}
