import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { ruleActor } from "../platform/calls/actor.ts"
import { query, refused } from "../platform/calls/commands.ts"
import { benefitsOf } from "./claim-choices.queries.ts"
import { claimDetail, loadClaimTimeline } from "./claim-detail.queries.ts"

export const readClaim = query(claimsContract.detail, (cx) => claimDetail(cx, cx.input.claimId))

export const readClaimActivity = query(claimsContract.activity, async (cx) => {
  const { claimId, before } = cx.input
  await claimDetail(cx, claimId)
  return loadClaimTimeline(cx, claimId, ruleActor(cx.actor).role, before)
})

export const listClaimBenefits = query(claimsContract.benefits, async ({ tx, input, today }) => {
  const found = await benefitsOf(tx, input.memberId, input.dependentId ?? null, input.incidentOn ?? today)
  if (!found) throw refused("NOT_FOUND")
  return found
})
