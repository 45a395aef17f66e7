import { route } from "@milkwood/domain/claims/claim-review"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { ruleActor } from "../platform/calls/actor.ts"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { loadChecklist } from "./claim-checklist.queries.ts"
import { requireDeciders } from "./claim-deciders.queries.ts"
import { claimDetail } from "./claim-detail.queries.ts"
import { lockClaim, saveClaim } from "./claim-record.ts"

export const routeClaimForApproval = command(claimsContract.route, async (cx) => {
  const claim = await lockClaim(cx, cx.input.claimId)
  expectVersion(claim, cx.input.version)
  const routed = orRefuse(route(claim, ruleActor(cx.actor), cx.now, await loadChecklist(cx.tx, claim)))
  // A decider may have left, or edited the claim, since submission.
  await requireDeciders(cx, routed.value)
  await saveClaim(cx, claim, routed)
  return claimDetail(cx, claim.id)
})
