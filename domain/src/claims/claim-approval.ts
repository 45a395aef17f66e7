import { applyTransition } from "../kernel/lifecycle.ts"
import { type Cents, type Currency, formatMoney } from "../kernel/money.ts"
import type { FieldError } from "../kernel/procedure.ts"
import { type Decision, isRefusal, refuse } from "../kernel/refusal.ts"
import { nameList } from "../kernel/text.ts"
import type { Role, RuleActor } from "../platform/permission.ts"
import type { Claim, ClaimApproval, Stage } from "./claim.ts"
import { stageNames, stages } from "./claim.ts"
import type { CoverLine } from "./claim-cover.ts"
import { type ClaimFact, claimFactHead } from "./claim-facts.ts"
import { type ClaimDuties, claimLifecycle, pendingStep, type StepRefusal } from "./claim-lifecycle.ts"
import type { CoverLimit } from "./claim-limit.ts"

export interface ClaimChange {
  value: Claim
  facts: ClaimFact[]
}

export interface DecisionInput {
  decision: "approve" | "reject"
  /** Omitted: the previous amount is approved. Ignored on a rejection. */
  approvedAmountCents: Cents | null
  comment: string
  /** Why less than the previous amount is approved; the policy holder can read it. */
  reductionReason: string
}

export function createRound(round: number): ClaimApproval[] {
  return stages.map((stage) => ({
    round,
    stage,
    status: "pending",
    comment: null,
    reductionReason: null,
    approvedAmountCents: null,
    decidedBy: null,
    decidedFor: null,
    decidedAt: null,
  }))
}

/**
 * Judges the claim by facts as known now instead of those stored at submission. Only a user who may decide the pending
 * stage may do so.
 */
export function acceptFacts(
  claim: Claim & ClaimDuties,
  actor: RuleActor,
  now: Temporal.Instant,
  premiumStanding: NonNullable<Claim["premiumStanding"]>,
): Decision<ClaimChange, StepRefusal> {
  const stage = pendingStep(claim, actor)
  if (isRefusal(stage)) return stage
  const value = { ...claim, premiumStanding, coverAcceptedAt: now.toString(), version: claim.version + 1 }
  return { value, facts: [{ type: "ClaimFactsAccepted", ...claimFactHead(claim) }] }
}

/** Amount last approved in this round, or the requested amount before any approval. */
export function previousAmount(claim: Pick<Claim, "round" | "requestedAmountCents" | "approvals">): Cents {
  const approved = claim.approvals.filter(({ round, status }) => round === claim.round && status === "approved")
  return approved.at(-1)?.approvedAmountCents ?? claim.requestedAmountCents ?? 0
}

export interface StageLimits {
  stage: Stage
  amountBeforeCents: Cents
  limitCents: Cents | null
  childCap: CoverLimit["childCap"]
  coverCheck: readonly Pick<CoverLine, "check" | "title" | "result">[]
}

/** The failed lines of the cover check, except the maximum, which limits the approved amount only. */
export function failedChecks<Line extends Pick<CoverLine, "check" | "result">>(coverCheck: readonly Line[]): Line[] {
  return coverCheck.filter(({ check, result }) => check !== "maximum" && result === "fail")
}

/**
 * The first reason to refuse a decision, with its field, or null. The form checks it before it asks for confirmation;
 * `decide` enforces it.
 */
export function findDecisionError(input: DecisionInput, limits: StageLimits, currency: Currency): FieldError | null {
  const comment = input.comment.trim()
  const { stage, amountBeforeCents: before, limitCents, childCap, coverCheck } = limits
  if (input.decision === "reject") return comment ? null : fieldErrorAt("comment", "Enter a reason for the rejection.")
  const amount = input.approvedAmountCents ?? before
  if (amount <= 0) return fieldErrorAt("approvedAmountCents", "The approved amount must be above 0.")
  if (amount > before) {
    return fieldErrorAt(
      "approvedAmountCents",
      `Approve at most ${formatMoney(before, currency)}, the amount ${stage === "group_admin" ? "requested" : "that the previous stage approved"}.`,
    )
  }
  if (childCap && amount > childCap.leftCents) {
    const most =
      childCap.leftCents > 0 ? `Approve at most ${formatMoney(childCap.leftCents, currency)}` : "Reject the claim"
    return fieldErrorAt("approvedAmountCents", `${most}. ${childCap.reason}`)
  }
  if (stage !== "group_admin" && limitCents !== null && amount > limitCents && !comment) {
    return fieldErrorAt(
      "comment",
      `Enter a reason: the amount is above the ${formatMoney(limitCents, currency)} that cover allows.`,
    )
  }
  const failed = failedChecks(coverCheck)
  if (failed.length > 0 && !comment) {
    const titles = failed.map(({ title }) => `“${title}”`).join(" and ")
    return fieldErrorAt("comment", `Enter a reason: the claim failed the cover check (${titles}).`)
  }
  if (amount < before && !input.reductionReason.trim()) {
    return fieldErrorAt("reductionReason", "Enter a reason for the reduction. The policy holder can read it.")
  }
  return null
}

const fieldErrorAt = (path: "approvedAmountCents" | "comment" | "reductionReason", message: string) => ({
  path,
  message,
})

/**
 * Decides the pending stage for this actor, or for the person for whom the actor stands in.
 *
 * An approved amount is above 0 and at most the previous amount. The underwriter and the policy holder must comment on
 * an amount above the cover limit; no stage may exceed the cap on a child's life. Approving over a failed cover check requires a comment; a reduction requires a
 * reason, which the policy holder may read. A rejection requires a comment, which becomes the claim's rejection reason.
 * The last approval sets the final approval and the approved amount, and stores the working of the proposed amount.
 */
export function decide(
  claim: Claim & Pick<ClaimDuties, "standsInFor">,
  input: DecisionInput,
  actor: RuleActor,
  cover: Pick<StageLimits, "limitCents" | "childCap" | "coverCheck"> & {
    proposedAmountCents: Cents
    coverWorking: string[]
  },
  now: Temporal.Instant,
  currency: Currency,
): Decision<ClaimChange, StepRefusal | "WRONG_STATUS" | "INVALID"> {
  const stage = pendingStep(claim, actor)
  if (isRefusal(stage)) return stage
  const status = applyTransition(claimLifecycle, claim, input.decision === "approve" ? "approve" : "decline")
  if (isRefusal(status)) return status

  const amountBeforeCents = previousAmount(claim)
  const { limitCents, childCap, coverCheck, proposedAmountCents, coverWorking } = cover
  const wrong = findDecisionError(input, { stage, amountBeforeCents, limitCents, childCap, coverCheck }, currency)
  if (wrong) return refuse("INVALID", wrong.message, { fields: [wrong] })

  const comment = input.comment.trim()
  const decidedAt = now.toString()
  const decidedFor = actor.role === stage ? null : (claim.standsInFor ?? null)
  const signed = { stage, decidedBy: actor.userId, decidedFor, decidedAt }
  if (input.decision === "reject") {
    return applyDecision(
      claim,
      { ...signed, status: "rejected", comment, reductionReason: null, approvedAmountCents: null },
      { status, rejectedAt: decidedAt, rejectionReason: comment },
    )
  }
  const amount = input.approvedAmountCents ?? amountBeforeCents
  const reductionReason = amount < amountBeforeCents ? input.reductionReason.trim() : null
  const working = status === "approved" ? { proposedAmountCents, lines: coverWorking } : null
  return applyDecision(
    claim,
    { ...signed, status: "approved", comment: comment || null, reductionReason, approvedAmountCents: amount, working },
    {
      status,
      ...decisionTimestampOf(stage, decidedAt),
      ...(status === "approved" && { finalApprovalAt: decidedAt, approvedAmountCents: amount }),
    },
  )
}

function applyDecision(claim: Claim, decided: Omit<ClaimApproval, "round">, changes: Partial<Claim>): ClaimChange {
  const approvals = claim.approvals.map((approval) =>
    approval.round === claim.round && approval.stage === decided.stage ? { ...approval, ...decided } : approval,
  )
  return {
    value: { ...claim, ...changes, approvals, version: claim.version + 1 },
    facts: [
      {
        type: "ClaimDecided",
        ...claimFactHead(claim),
        stage: decided.stage,
        decision: decided.status === "approved" ? "approved" : "rejected",
        approvedAmountCents: decided.approvedAmountCents,
        reason: decided.comment,
        reductionReason: decided.reductionReason,
      },
    ],
  }
}

function decisionTimestampOf(stage: Stage, at: string): Partial<Claim> {
  if (stage === "group_admin") return { groupAdminApprovalAt: at }
  if (stage === "underwriter") return { underwriterApprovalAt: at }
  return { policyHolderApprovalAt: at }
}

export interface Decider {
  userId: string
  name: string
  stage: Stage
}

export interface MissingDeciderContext {
  groupName: string
  role: Role | null
}

/**
 * The people who can decide each stage, without those involved (`capturedBy`, the submitter). Refuses NOBODY_TO_DECIDE
 * when a stage has nobody, and names the stages, the group and who can fix it.
 */
export function decidersOf(
  involved: readonly string[],
  people: readonly Decider[],
  reader: MissingDeciderContext,
): Decision<Record<Stage, Decider[]>, "NOBODY_TO_DECIDE"> {
  const free = people.filter(({ userId }) => !involved.includes(userId))
  const of = (stage: Stage) => free.filter((person) => person.stage === stage)
  const empty = stages.filter((stage) => of(stage).length === 0)
  if (empty.length > 0) {
    return refuse("NOBODY_TO_DECIDE", describeMissingDecider(empty, people, involved, reader), { stages: empty })
  }
  return { group_admin: of("group_admin"), underwriter: of("underwriter"), policy_holder: of("policy_holder") }
}

function describeMissingDecider(
  empty: Stage[],
  people: readonly Decider[],
  involved: readonly string[],
  reader: MissingDeciderContext,
): string {
  const { groupName, role } = reader
  const roleOf = (stage: Stage) => stageNames[stage].toLowerCase()
  const involvedIn = (stage: Stage) =>
    people.filter((person) => person.stage === stage && involved.includes(person.userId))
  const reasons = empty.map((stage) => {
    const own = involvedIn(stage).map(({ name }) => name)
    if (stage === "underwriter") return "there is no active underwriter"
    return own.length > 0
      ? `${own.join(", ")} captured or submitted it, and ${groupName} has no other ${roleOf(stage)}`
      : `${groupName} has no ${roleOf(stage)}`
  })
  const missing = empty.map((stage) =>
    stage === "underwriter" ? "an underwriter" : `a ${involvedIn(stage).length > 0 ? "second " : ""}${roleOf(stage)}`,
  )
  const access = `${nameList(missing)} for ${groupName} in Settings, Users`
  // Managers decide no stage. A manager can only help when deciders exist but are all involved.
  const allInvolved = empty.every((stage) => involvedIn(stage).length > 0)
  const mend =
    role === "admin"
      ? `Add ${access}.`
      : allInvolved && role !== "manager"
        ? `Ask a manager to capture it, or an administrator to add ${access}.`
        : `Ask an administrator to add ${access}.`
  return `This claim would have no approver: ${reasons.join("; ")}. ${mend}`
}
