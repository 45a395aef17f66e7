import { addDays, type Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"

export const reopeningKinds = ["appeal", "approval_withdrawn"] as const
export type ReopeningKind = (typeof reopeningKinds)[number]

/** A decided claim returned to review. Keeps the former decision, which the claim no longer has. */
export interface Reopening {
  kind: ReopeningKind
  /** The round of approvals that it opened. */
  round: number
  reason: string
  /** The day an appeal was received; null for a withdrawn approval. */
  receivedOn: Day | null
  /** Whether the appeal was received after the time limit of its day. */
  isLate: boolean
  /** The policy at the former decision. */
  policyId: string
  decidedAt: string
  rejectionReason: string | null
  approvedAmountCents: Cents | null
  reopenedBy: string
  reopenedAt: string
}

export const appealUntil = (rejectedOn: Day, objectionDays: number): Day => addDays(rejectedOn, objectionDays)

export const answerDueBy = (receivedOn: Day, objectionAnswerDays: number): Day =>
  addDays(receivedOn, objectionAnswerDays)
