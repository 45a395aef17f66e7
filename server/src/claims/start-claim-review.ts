import { startReview } from "@milkwood/domain/claims/claim-review"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { ruleActor } from "../platform/calls/actor.ts"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { claimDetail } from "./claim-detail.queries.ts"
import { lockClaim, saveClaim } from "./claim-record.ts"

export const startClaimReview = command(claimsContract.startReview, async (cx) => {
  const claim = await lockClaim(cx, cx.input.claimId)
  expectVersion(claim, cx.input.version)
  const started = orRefuse(startReview(claim, ruleActor(cx.actor), cx.now))
  await saveClaim(cx, claim, started)
  return claimDetail(cx, claim.id)
})
