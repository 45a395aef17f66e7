import { rejectBeforeRouting } from "@milkwood/domain/claims/claim-review"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { claimDetail } from "./claim-detail.queries.ts"
import { lockClaim, saveClaim } from "./claim-record.ts"

export const rejectClaim = command(claimsContract.reject, async (cx) => {
  const claim = await lockClaim(cx, cx.input.claimId)
  expectVersion(claim, cx.input.version)
  const rejected = orRefuse(rejectBeforeRouting(claim, cx.input.reason, cx.now))
  await saveClaim(cx, claim, rejected)
  return claimDetail(cx, claim.id)
})
