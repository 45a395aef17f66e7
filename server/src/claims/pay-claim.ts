import { claimLifecycle } from "@milkwood/domain/claims/claim-lifecycle"
import { amountToPay } from "@milkwood/domain/claims/claim-review"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { step } from "@milkwood/domain/kernel/lifecycle"
import { makePayout } from "../payouts/make-payout.ts"
import { paidFor, payoutDetail } from "../payouts/payouts.queries.ts"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { lockClaim, readClaim } from "./claim-record.ts"

/**
 * Makes a payment of an approved claim, of all that is open of it or a part. The payout comes before the claim, here as in
 * every step of a payout: the claim is judged again under its lock, and what was made for it is undone where it may not
 * be paid.
 */
export const payClaim = command(claimsContract.pay, async (cx) => {
  const { claimId, idempotencyKey: _, amountCents: asked, ...order } = cx.input
  const claim = await readClaim(cx, claimId)
  orRefuse(step(claimLifecycle, claim, "pay"))
  // Another payment that waits or is on its way is found by the database, whatever races.
  const amountCents = orRefuse(amountToPay(claim, await paidFor(cx.tx, "claim", claimId), asked, cx.currency))
  const { id, groupId, policyId, memberId, number } = claim
  const subject = { kind: "claim" as const, id, label: number }
  const payoutId = await makePayout(cx, { ...order, groupId, policyId, memberId, amountCents, subject })
  const locked = await lockClaim(cx, claimId)
  orRefuse(step(claimLifecycle, locked, "pay"))
  orRefuse(amountToPay(locked, await paidFor(cx.tx, "claim", claimId), amountCents, cx.currency))
  return payoutDetail(cx, payoutId)
})
