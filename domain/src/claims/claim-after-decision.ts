import { type Day, todayInTimezone } from "../kernel/calendar.ts"
import { applyTransition } from "../kernel/lifecycle.ts"
import { type Decision, isRefusal, refuse } from "../kernel/refusal.ts"
import type { RuleActor } from "../platform/permission.ts"
import type { Claim } from "./claim.ts"
import { type ClaimChange, createRound } from "./claim-approval.ts"
import { claimFactHead } from "./claim-facts.ts"
import { claimLifecycle, decidedAnyStage, mayWithdrawSubmitted } from "./claim-lifecycle.ts"
import { addToCapturedBy } from "./claim-review.ts"
import { appealUntil, type Reopening } from "./reopening.ts"

export interface ReopeningChange extends ClaimChange {
  reopening: Reopening
}

export interface AppealContext {
  today: Day
  now: Temporal.Instant
  timezone: string
  objectionDays: number
}

/**
 * Reopens a rejected claim after an appeal and opens a new round of approvals. The actor becomes its reviewer and cannot
 * decide it. A late appeal is allowed and marked. INVALID for a missing reason, a day in the future or before the
 * rejection.
 */
export function reopen(
  claim: Claim,
  { reason, receivedOn }: { reason: string; receivedOn: Day },
  actor: RuleActor,
  { today, now, timezone, objectionDays }: AppealContext,
): Decision<ReopeningChange, "WRONG_STATUS" | "INVALID"> {
  const status = applyTransition(claimLifecycle, claim, "reopen")
  if (isRefusal(status)) return status
  const why = reason.trim()
  if (!why) return invalid("reason", "Enter the reason for the appeal.")
  const rejectedOn = todayInTimezone(Temporal.Instant.from(claim.rejectedAt!), timezone)
  if (receivedOn > today) return invalid("receivedOn", "The day is in the future.")
  if (receivedOn < rejectedOn) return invalid("receivedOn", "The day is before the rejection.")
  const isLate = receivedOn > appealUntil(rejectedOn, objectionDays)
  return {
    value: {
      ...claim,
      ...returnToReview(claim),
      status,
      reviewedBy: actor.userId,
      reviewedAt: now.toString(),
      ...addToCapturedBy(claim, actor),
    },
    facts: [{ type: "ClaimReopened", ...claimFactHead(claim), receivedOn, isLate, reason: why }],
    reopening: {
      kind: "appeal",
      round: claim.round + 1,
      reason: why,
      receivedOn,
      isLate,
      policyId: claim.policyId,
      decidedAt: claim.rejectedAt!,
      rejectionReason: claim.rejectionReason,
      approvedAmountCents: null,
      reopenedBy: actor.userId,
      reopenedAt: now.toString(),
    },
  }
}

/**
 * Withdraws the approval of a claim before it is paid and opens a new round. Refuses DECIDED_BEFORE for deciders of any
 * stage, and PAYMENT_EXISTS for a payment that waits, runs, failed or was completed.
 */
export function withdrawApproval(
  claim: Claim,
  reason: string,
  actor: RuleActor,
  now: Temporal.Instant,
): Decision<ReopeningChange, "WRONG_STATUS" | "DECIDED_BEFORE" | "PAYMENT_EXISTS" | "INVALID"> {
  const status = applyTransition(claimLifecycle, claim, "withdrawApproval")
  if (isRefusal(status)) return status
  if (decidedAnyStage(claim, actor.userId))
    return refuse("DECIDED_BEFORE", "You decided a stage of this claim. Another person must withdraw its approval.")
  if (claim.paymentStarted)
    return refuse("PAYMENT_EXISTS", "A payment of this claim has started. Cancel the payment first.")
  if (claim.isPartlyPaid) return refuse("PAYMENT_EXISTS", "Part of this claim is paid. Its approval must remain.")
  const why = reason.trim()
  if (!why) return invalid("reason", "Enter a reason for withdrawing the approval.")
  const approvedAmountCents = claim.approvedAmountCents!
  return {
    value: { ...claim, ...returnToReview(claim), status },
    facts: [{ type: "ClaimApprovalWithdrawn", ...claimFactHead(claim), approvedAmountCents, reason: why }],
    reopening: {
      kind: "approval_withdrawn",
      round: claim.round + 1,
      reason: why,
      receivedOn: null,
      isLate: false,
      policyId: claim.policyId,
      decidedAt: claim.finalApprovalAt!,
      rejectionReason: null,
      approvedAmountCents,
      reopenedBy: actor.userId,
      reopenedAt: now.toString(),
    },
  }
}

/** Ends a claim that is not routed. FORBIDDEN unless the actor submitted it or reviews claims. */
export function withdrawSubmitted(
  claim: Claim,
  reason: string,
  actor: RuleActor,
  now: Temporal.Instant,
): Decision<ClaimChange, "WRONG_STATUS" | "FORBIDDEN" | "INVALID"> {
  const status = applyTransition(claimLifecycle, claim, "withdrawSubmitted")
  if (isRefusal(status)) return status
  if (!mayWithdrawSubmitted(claim, actor))
    return refuse("FORBIDDEN", "Only the person who submitted this claim, or a manager, can withdraw it.")
  const why = reason.trim()
  if (!why) return invalid("reason", "Enter a reason for withdrawing the claim.")
  return {
    value: {
      ...claim,
      status,
      withdrawnAt: now.toString(),
      withdrawnBy: actor.userId,
      withdrawalReason: why,
      requestedDocuments: [],
      version: claim.version + 1,
    },
    facts: [{ type: "SubmittedClaimWithdrawn", ...claimFactHead(claim), reason: why }],
  }
}

const returnToReview = (claim: Claim) => ({
  round: claim.round + 1,
  approvals: [...claim.approvals, ...createRound(claim.round + 1)],
  routedAt: null,
  groupAdminApprovalAt: null,
  underwriterApprovalAt: null,
  policyHolderApprovalAt: null,
  finalApprovalAt: null,
  approvedAmountCents: null,
  rejectedAt: null,
  rejectionReason: null,
  version: claim.version + 1,
})

const invalid = (path: string, message: string) => refuse("INVALID", message, { fields: [{ path, message }] })
