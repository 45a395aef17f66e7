import { withdrawApproval as withdrawApprovalOf } from "@milkwood/domain/claims/claim-after-decision"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { ruleActor } from "../platform/calls/actor.ts"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { claimDetail } from "./claim-detail.queries.ts"
import { lockClaim } from "./claim-record.ts"
import { saveReopenedClaim } from "./reopenings.ts"

/** A concurrent payment waits for the claim's lock and is then refused (`payClaim`). */
export const withdrawApproval = command(claimsContract.withdrawApproval, async (cx) => {
  const claim = await lockClaim(cx, cx.input.claimId)
  expectVersion(claim, cx.input.version)
  const withdrawn = orRefuse(withdrawApprovalOf(claim, cx.input.reason, ruleActor(cx.actor), cx.now))
  await saveReopenedClaim(cx, claim, withdrawn)
  return claimDetail(cx, claim.id)
})
