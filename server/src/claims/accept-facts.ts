import { acceptFacts } from "@milkwood/domain/claims/claim-approval"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { ruleActor } from "../platform/calls/actor.ts"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { claimDetail } from "./claim-detail.queries.ts"
import { lockClaim, saveClaim } from "./claim-record.ts"
import { refuseOwnBenefit } from "./payee-conflict.ts"
import { loadPremiumStanding } from "./premium-standing.queries.ts"
import { readStandIn } from "./stand-ins.queries.ts"

/** Runs as staff, because users of an employer cannot change what a claim is judged by; `lockClaim` limits the actor. */
export const acceptClaimFacts = command(
  claimsContract.acceptFacts,
  async (cx) => {
    const { claimId, version } = cx.input
    const actor = ruleActor(cx.actor)
    const claim = { ...(await lockClaim(cx, claimId)), ...(await readStandIn(cx.tx, claimId, actor, cx.today)) }
    expectVersion(claim, version)
    const standing = await loadPremiumStanding(cx, claim.memberId, claim.incidentOn!)
    const accepted = orRefuse(acceptFacts(claim, actor, cx.now, standing))
    await refuseOwnBenefit(cx, claimId)
    await saveClaim(cx, claim, accepted)
    return claimDetail(cx, claimId)
  },
  { as: "staff" },
)
