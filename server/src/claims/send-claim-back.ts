import { sendBack } from "@milkwood/domain/claims/claim-review"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { claimDetail } from "./claim-detail.queries.ts"
import { lockClaim, saveClaim } from "./claim-record.ts"

export const sendClaimBack = command(claimsContract.sendBack, async (cx) => {
  const claim = await lockClaim(cx, cx.input.claimId)
  expectVersion(claim, cx.input.version)
  const sent = orRefuse(sendBack(claim, cx.input.reason))
  await saveClaim(cx, claim, sent)
  return claimDetail(cx, claim.id)
})
