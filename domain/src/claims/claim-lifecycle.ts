import { lifecycle } from "../kernel/lifecycle.ts"
import { type Decision, type Refusal, refuse } from "../kernel/refusal.ts"
import {
  canServiceKeyUse,
  hasPermission,
  isProgram,
  type PermissionName,
  type RuleActor,
} from "../platform/permission.ts"
import {
  type Claim,
  type ClaimApproval,
  type ClaimStatus,
  claimStatuses,
  claimStatusNames,
  type Stage,
  stages,
} from "./claim.ts"
import type { ReopeningKind } from "./reopening.ts"
import { standInRole } from "./stand-in.ts"

/** The statuses of a claim and their transitions (specification 1, section 4). */
export const claimLifecycle = lifecycle({
  name: "claim",
  initial: "draft",
  states: claimStatuses,
  actions: {
    edit: [
      { from: ["draft"], to: "draft" },
      { from: ["submitted"], to: "submitted" },
    ],
    changeDocuments: [
      { from: ["draft"], to: "draft" },
      { from: ["submitted"], to: "submitted" },
      { from: ["under_review"], to: "under_review" },
    ],
    submit: { from: ["draft"], to: "submitted" },
    startReview: { from: ["submitted"], to: "under_review" },
    reassign: [
      { from: ["submitted"], to: "under_review" },
      { from: ["under_review"], to: "under_review" },
    ],
    requestDocuments: [
      { from: ["submitted"], to: "submitted" },
      { from: ["under_review"], to: "under_review" },
    ],
    waiveDocuments: [
      { from: ["submitted"], to: "submitted" },
      { from: ["under_review"], to: "under_review" },
    ],
    withdrawWaiver: [
      { from: ["submitted"], to: "submitted" },
      { from: ["under_review"], to: "under_review" },
    ],
    route: { from: ["submitted", "under_review"], to: "pending_group_admin" },
    reject: { from: ["submitted", "under_review"], to: "rejected" },
    approve: [
      { from: ["pending_group_admin"], to: "pending_underwriter" },
      { from: ["pending_underwriter"], to: "pending_policy_holder" },
      { from: ["pending_policy_holder"], to: "approved" },
    ],
    decline: { from: ["pending_group_admin", "pending_underwriter", "pending_policy_holder"], to: "rejected" },
    sendBack: {
      from: ["under_review", "pending_group_admin", "pending_underwriter", "pending_policy_holder"],
      to: "submitted",
    },
    pay: { from: ["approved"], to: "paid" },
    owe: { from: ["paid"], to: "approved" },
    reopen: { from: ["rejected"], to: "under_review" },
    withdrawApproval: { from: ["approved"], to: "under_review" },
    withdrawSubmitted: { from: ["submitted", "under_review"], to: "withdrawn" },
  },
  words: {
    record: "A claim that",
    statuses: claimStatusNames,
    done: {
      edit: "changed",
      changeDocuments: "updated with other documents",
      submit: "submitted",
      startReview: "taken into review",
      reassign: "assigned",
      requestDocuments: "put on hold for documents",
      waiveDocuments: "continued without its documents",
      withdrawWaiver: "changed in its waivers",
      route: "routed for approval",
      reject: "rejected by a manager",
      approve: "approved",
      decline: "rejected",
      sendBack: "sent back",
      pay: "paid",
      owe: "returned to approved",
      reopen: "reopened",
      withdrawApproval: "returned to review",
      withdrawSubmitted: "withdrawn",
    },
  },
})

/** `withdraw` deletes the draft, so it leads to no status. */
export type ClaimAction = (typeof claimLifecycle.actions)[number] | "withdraw"

export const permissionFor: Record<ClaimAction, PermissionName> = {
  edit: "claims.capture",
  changeDocuments: "claims.capture",
  submit: "claims.capture",
  startReview: "claims.review",
  reassign: "claims.review",
  requestDocuments: "claims.review",
  waiveDocuments: "claims.review",
  withdrawWaiver: "claims.review",
  route: "claims.review",
  reject: "claims.review",
  sendBack: "claims.review",
  approve: "claims.decide",
  decline: "claims.decide",
  pay: "payouts.write",
  owe: "payouts.write",
  reopen: "claims.review",
  withdrawApproval: "claims.withdrawApproval",
  withdrawSubmitted: "claims.capture",
  withdraw: "claims.capture",
}

/** The fields of a claim that decide which users may act on it. */
export type ClaimDuties = Pick<Claim, "status" | "capturedBy" | "submittedBy" | "paymentStarted" | "isPartlyPaid"> & {
  approvals: readonly Pick<ClaimApproval, "stage" | "decidedBy">[]
  /** The person the actor may decide for today: in the claim's group and not involved in the claim. */
  standsInFor?: string | null
}

/** The stage of a pending status; null for other statuses. */
export function stageOf(status: ClaimStatus): Stage | null {
  return stages.find((stage) => status === `pending_${stage}`) ?? null
}

/**
 * Why a claim that is not routed has a second or later round: it was sent back, or reopened after a decision. Null for a
 * first round, and once the claim is routed. `reopening` is that of the current round.
 */
export function roundCause(
  { status, round }: Pick<Claim, "status" | "round">,
  reopening: ReopeningKind | null,
): "sent_back" | ReopeningKind | null {
  if (round === 1 || (status !== "submitted" && status !== "under_review")) return null
  return reopening ?? "sent_back"
}

export type StepRefusal = "NO_PENDING_STEP" | "OWN_CLAIM" | "DECIDED_BEFORE"

/**
 * The stage that this actor may decide now, by role or as a stand-in. Refuses NO_PENDING_STEP if the claim is not
 * pending for the actor (another decider may have been faster). Refuses OWN_CLAIM for users who captured, submitted or
 * reviewed it, and DECIDED_BEFORE for deciders of another stage in any round.
 */
export function pendingStep(claim: ClaimDuties, actor: RuleActor): Decision<Stage, StepRefusal> {
  const stage = stageOf(claim.status)
  if (stage === null) return refuse("NO_PENDING_STEP")
  const standsIn = Boolean(claim.standsInFor) && actor.role !== null && actor.role === standInRole[stage]
  if (actor.role !== stage && !standsIn) return refuse("NO_PENDING_STEP")
  return refuseInvolved(claim, actor.userId, stage) ?? stage
}

/** Four-eyes rule: refuses users who captured, submitted or reviewed the claim, or decided another stage. */
export function refuseInvolved(
  claim: ClaimDuties,
  userId: string,
  deciding: Stage,
): Refusal<"OWN_CLAIM" | "DECIDED_BEFORE"> | null {
  if (claim.capturedBy.includes(userId) || claim.submittedBy === userId) return refuse("OWN_CLAIM")
  const another = claim.approvals.some(({ decidedBy, stage }) => decidedBy === userId && stage !== deciding)
  return another ? refuse("DECIDED_BEFORE") : null
}

/** A draft can be withdrawn by those who captured it and by anyone who reviews claims. */
export function mayWithdraw(claim: Pick<ClaimDuties, "status" | "capturedBy">, { userId, role }: RuleActor): boolean {
  const theirs = claim.capturedBy.includes(userId) || hasPermission(role, permissionFor.reassign)
  return claim.status === "draft" && theirs && hasPermission(role, permissionFor.withdraw)
}

/** A claim that is not routed can be withdrawn by its submitter and by anyone who reviews claims. */
export function mayWithdrawSubmitted(claim: Pick<ClaimDuties, "submittedBy">, { userId, role }: RuleActor): boolean {
  return claim.submittedBy === userId || hasPermission(role, permissionFor.reassign)
}

/** Four-eyes rule: deciders of any stage, in any round, may not withdraw the approval. */
export const decidedAnyStage = ({ approvals }: Pick<ClaimDuties, "approvals">, userId: string): boolean =>
  approvals.some(({ decidedBy }) => decidedBy === userId)

/** The actions this actor may take on this claim now, in the order of the lifecycle. */
export function allowedActions(claim: ClaimDuties, actor: RuleActor): ClaimAction[] {
  const steps: ClaimAction[] = claimLifecycle.actionsFrom(claim.status).filter((action) => {
    if (!hasPermission(actor.role, permissionFor[action])) return false
    if (isProgram(actor) && !canServiceKeyUse(permissionFor[action])) return false
    if (action === "approve" || action === "decline") return typeof pendingStep(claim, actor) === "string"
    if (action === "pay") return !claim.paymentStarted
    // Only a returned payment makes a claim owed again, never a user.
    if (action === "owe") return false
    if (action === "withdrawApproval")
      return !claim.paymentStarted && !claim.isPartlyPaid && !decidedAnyStage(claim, actor.userId)
    if (action === "withdrawSubmitted") return mayWithdrawSubmitted(claim, actor)
    return true
  })
  return mayWithdraw(claim, actor) ? [...steps, "withdraw"] : steps
}
