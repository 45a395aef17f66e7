import { route } from "@milkwood/domain/claims/claim-review"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { requireDeciders } from "./claim-deciders.queries.ts"
import { claimDetail } from "./claim-detail.queries.ts"
import { claimActor, expectVersion, lockClaim, saveClaim } from "./claim-record.ts"

export const routeClaimForApproval = command(claimsContract.route, async (cx) => {
  const claim = await lockClaim(cx, cx.input.claimId)
  await expectVersion(cx, claim, cx.input.version)
  const routed = orRefuse(route(claim, claimActor(cx.actor), cx.now))
  // Since submission a decider may have left, or have typed into the claim.
  await requireDeciders(cx, routed.claim)
  await saveClaim(cx, claim, routed.claim)
  await record(cx, routed.facts)
  return claimDetail(cx, claim.id)
})
