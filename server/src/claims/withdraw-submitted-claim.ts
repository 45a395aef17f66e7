import { withdrawSubmitted } from "@milkwood/domain/claims/claim-after-decision"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { ruleActor } from "../platform/calls/actor.ts"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { claimDetail } from "./claim-detail.queries.ts"
import { lockClaim, saveClaim } from "./claim-record.ts"

/** Runs as staff, because the reserve is posted to the ledger; `lockClaim` limits the actor to their groups. */
export const withdrawSubmittedClaim = command(
  claimsContract.withdrawSubmitted,
  async (cx) => {
    const claim = await lockClaim(cx, cx.input.claimId)
    expectVersion(claim, cx.input.version)
    const withdrawn = orRefuse(withdrawSubmitted(claim, cx.input.reason, ruleActor(cx.actor), cx.now))
    await saveClaim(cx, claim, withdrawn)
    return claimDetail(cx, claim.id)
  },
  { as: "staff" },
)
