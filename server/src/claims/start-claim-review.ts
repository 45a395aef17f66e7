import { startReview } from "@milkwood/domain/claims/claim-review"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { claimDetail } from "./claim-detail.queries.ts"
import { claimActor, expectVersion, lockClaim, saveClaim } from "./claim-record.ts"

export const startClaimReview = command(claimsContract.startReview, async (cx) => {
  const claim = await lockClaim(cx, cx.input.claimId)
  await expectVersion(cx, claim, cx.input.version)
  const started = orRefuse(startReview(claim, claimActor(cx.actor), cx.now))
  await saveClaim(cx, claim, started.claim)
  await record(cx, started.facts)
  return claimDetail(cx, claim.id)
})
