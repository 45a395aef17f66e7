import { claimLifecycle } from "@milkwood/domain/claims/claim-lifecycle"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { step } from "@milkwood/domain/kernel/lifecycle"
import { makePayout } from "../payouts/make-payout.ts"
import { payoutDetail } from "../payouts/payouts.queries.ts"
import { command, orRefuse, refused } from "../platform/calls/commands.ts"
import { lockClaim, readClaim } from "./claim-record.ts"

/**
 * Makes the payment of an approved claim. The payout comes before the claim, here as in every step of a payout: the
 * claim is judged again under its lock, and what was made for it is undone where it may not be paid.
 */
export const payClaim = command(claimsContract.pay, async (cx) => {
  const { claimId, idempotencyKey: _, ...order } = cx.input
  const claim = await readClaim(cx, claimId)
  const amountCents = claim.approvedAmountCents
  orRefuse(step(claimLifecycle, claim, "pay"))
  if (!amountCents) throw refused("WRONG_STATUS", "This claim has no approved amount to be paid.")
  const { id, groupId, policyId, memberId, number } = claim
  const subject = { kind: "claim" as const, id, label: number }
  const payoutId = await makePayout(cx, { ...order, groupId, policyId, memberId, amountCents, subject })
  orRefuse(step(claimLifecycle, await lockClaim(cx, claimId), "pay"))
  return payoutDetail(cx, payoutId)
})
