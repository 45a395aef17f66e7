import type { ClaimContent, Stage } from "@milkwood/domain/claims/claim"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import type { contract } from "@milkwood/domain/contract"
import type { ContractRouterClient } from "@orpc/contract"

type Client = Pick<ContractRouterClient<typeof contract>, "claims">

export type ClaimActors = {
  captures: Client
  manager: Client
  attach?: (draft: ClaimDetail) => Promise<ClaimDetail>
} & Record<Stage, Client>

export type ClaimSample = Pick<ClaimContent, "memberId"> & Partial<ClaimContent>

export function createClaimContent(sample: ClaimSample): ClaimContent {
  return {
    dependentId: null,
    causeOfDeath: null,
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
    billNumber: "",
    incidentCountry: "ZA",
    ...sample,
  }
}

export async function createDraftClaim({ captures, attach }: ClaimActors, sample: ClaimSample): Promise<ClaimDetail> {
  const draft = await captures.claims.saveDraft({ content: createClaimContent(sample) })
  return attach ? attach(draft) : draft
}

export async function createSubmittedClaim(cast: ClaimActors, sample: ClaimSample): Promise<ClaimDetail> {
  const draft = await createDraftClaim(cast, sample)
  return cast.captures.claims.submit({ claimId: draft.id, version: draft.version })
}

export async function createReviewedClaim(cast: ClaimActors, sample: ClaimSample): Promise<ClaimDetail> {
  const { id: claimId, version } = await createSubmittedClaim(cast, sample)
  return cast.manager.claims.startReview({ claimId, version })
}

export async function createRoutedClaim(cast: ClaimActors, sample: ClaimSample): Promise<ClaimDetail> {
  const { id: claimId, version } = await createSubmittedClaim(cast, sample)
  return cast.manager.claims.route({ claimId, version })
}

export function approveStage(
  cast: ClaimActors,
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

export async function createClaimPendingAt(cast: ClaimActors, stage: Stage, sample: ClaimSample): Promise<ClaimDetail> {
  let claim = await createRoutedClaim(cast, sample)
  while (claim.status !== `pending_${stage}`) claim = await approveStage(cast, claim)
  return claim
}

export async function createApprovedClaim(cast: ClaimActors, sample: ClaimSample): Promise<ClaimDetail> {
  return approveStage(cast, await createClaimPendingAt(cast, "policy_holder", sample))
}

export async function createRejectedClaim(cast: ClaimActors, sample: ClaimSample): Promise<ClaimDetail> {
  const { id: claimId, version } = await createClaimPendingAt(cast, "underwriter", sample)
  const idempotencyKey = crypto.randomUUID()
  const comment = "The condition existed before cover began"
  return cast.underwriter.claims.decide({ claimId, version, idempotencyKey, decision: "reject", comment })
}

export async function createWithdrawnClaim(cast: ClaimActors, sample: ClaimSample): Promise<ClaimDetail> {
  const { id: claimId, version } = await createSubmittedClaim(cast, sample)
  const reason = "The medical aid paid the bill"
  return cast.captures.claims.withdrawSubmitted({ claimId, version, reason })
}

export async function createAppealedClaim(
  cast: ClaimActors,
  sample: ClaimSample,
  receivedOn: string,
): Promise<ClaimDetail> {
  const { id } = await createRejectedClaim(cast, sample)
  return reopenClaim(cast, id, receivedOn)
}

export async function reopenClaim({ manager }: ClaimActors, claimId: string, receivedOn: string): Promise<ClaimDetail> {
  const { version } = await manager.claims.detail({ claimId })
  const reason = "A letter of the specialist dates the condition to this year"
  return manager.claims.reopen({ claimId, version, reason, receivedOn })
}

export async function createClaimWithWithdrawnApproval(cast: ClaimActors, sample: ClaimSample): Promise<ClaimDetail> {
  const { id: claimId, version } = await createApprovedClaim(cast, sample)
  return cast.manager.claims.withdrawApproval({ claimId, version, reason: "The hospital corrected its bill" })
}
