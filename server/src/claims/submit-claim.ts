import { submit } from "@milkwood/domain/claims/claim-review"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { requireDeciders } from "./claim-deciders.queries.ts"
import { claimDetail } from "./claim-detail.queries.ts"
import { claimActor, expectVersion, lockClaim, saveClaim } from "./claim-record.ts"

export const submitClaim = command(claimsContract.submit, async (cx) => {
  const claim = await lockClaim(cx, cx.input.claimId)
  await expectVersion(cx, claim, cx.input.version)
  const submitted = orRefuse(submit(claim, claimActor(cx.actor), cx.today, cx.now))
  await requireDeciders(cx, submitted.claim)
  await saveClaim(cx, claim, submitted.claim)
  await record(cx, submitted.facts)
  return claimDetail(cx, claim.id)
})
