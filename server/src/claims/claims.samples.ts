import type { ClaimContent, Stage } from "@milkwood/domain/claims/claim"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import type { contract } from "@milkwood/domain/contract"
import type { ContractRouterClient } from "@orpc/contract"

type Client = Pick<ContractRouterClient<typeof contract>, "claims">

/** The people that a claim takes, each as their client of the API. `captures` and `group_admin` are two people. */
export type ClaimCast = {
  captures: Client
  manager: Client
  /** What is added to a draft before it goes further: its documents. */
  attach?: (draft: ClaimDetail) => Promise<ClaimDetail>
} & Record<Stage, Client>

/** A claim's content; the member is the caller's to choose. */
export type ClaimSample = Pick<ClaimContent, "memberId"> & Partial<ClaimContent>

/** What somebody types into the five steps; the benefit, to be complete, comes from the caller. */
export function claimContent(sample: ClaimSample): ClaimContent {
  return {
    benefitId: null,
    claimType: "medical",
    incidentOn: "2026-10-20",
    notificationOn: "2026-10-22",
    claimAmountCents: 60_000_00,
    requestedAmountCents: 50_000_00,
    description: "Fell from a ladder at work",
    diagnosis: "Fractured wrist",
    hospitalName: "Groote Schuur",
    doctorName: "Dr Adams",
    treatmentDetails: "Open reduction, cast for six weeks",
    ...sample,
  }
}

/** Captured and not handed in. */
export async function draftClaim({ captures, attach }: ClaimCast, sample: ClaimSample): Promise<ClaimDetail> {
  const draft = await captures.claims.saveDraft({ content: claimContent(sample) })
  return attach ? attach(draft) : draft
}

/** Handed in by whoever captured it. */
export async function submittedClaim(cast: ClaimCast, sample: ClaimSample): Promise<ClaimDetail> {
  const draft = await draftClaim(cast, sample)
  return cast.captures.claims.submit({ claimId: draft.id, version: draft.version })
}

/** Taken by a manager. */
export async function reviewedClaim(cast: ClaimCast, sample: ClaimSample): Promise<ClaimDetail> {
  const { id: claimId, version } = await submittedClaim(cast, sample)
  return cast.manager.claims.startReview({ claimId, version })
}

/** Waiting for the group administrator. */
export async function routedClaim(cast: ClaimCast, sample: ClaimSample): Promise<ClaimDetail> {
  const { id: claimId, version } = await submittedClaim(cast, sample)
  return cast.manager.claims.route({ claimId, version })
}

/** Approves the stage that waits, by whoever's stage it is. */
export function approveStage(
  cast: ClaimCast,
  claim: ClaimDetail,
  approvedAmountCents: number | null = null,
  comment = "Seen and in order",
): Promise<ClaimDetail> {
  const stage = claim.status.replace("pending_", "") as Stage
  const { id: claimId, version } = claim
  const idempotencyKey = crypto.randomUUID()
  return cast[stage].claims.decide({
    claimId,
    version,
    idempotencyKey,
    decision: "approve",
    approvedAmountCents,
    comment,
    reductionReason: "The bill was lower",
  })
}

/** Waiting for a stage: routed, with the stages before it approved for what was requested. */
export async function claimPendingAt(cast: ClaimCast, stage: Stage, sample: ClaimSample): Promise<ClaimDetail> {
  let claim = await routedClaim(cast, sample)
  while (claim.status !== `pending_${stage}`) claim = await approveStage(cast, claim)
  return claim
}

/** Approved by all three, and waiting to be paid. */
export async function approvedClaim(cast: ClaimCast, sample: ClaimSample): Promise<ClaimDetail> {
  return approveStage(cast, await claimPendingAt(cast, "policy_holder", sample))
}

/** Rejected by the underwriter. */
export async function rejectedClaim(cast: ClaimCast, sample: ClaimSample): Promise<ClaimDetail> {
  const { id: claimId, version } = await claimPendingAt(cast, "underwriter", sample)
  const idempotencyKey = crypto.randomUUID()
  const comment = "The condition existed before cover began"
  return cast.underwriter.claims.decide({ claimId, version, idempotencyKey, decision: "reject", comment })
}
