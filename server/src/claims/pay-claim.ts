import { claimLifecycle } from "@milkwood/domain/claims/claim-lifecycle"
import { payableAmount } from "@milkwood/domain/claims/claim-review"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { applyTransition } from "@milkwood/domain/kernel/lifecycle"
import { makePayout } from "../payouts/make-payout.ts"
import { payoutDetail, sumPaidFor } from "../payouts/payouts.queries.ts"
import { type Cx, command, orRefuse, refused } from "../platform/calls/commands.ts"
import { loadPayeeSets } from "./claim-payees.queries.ts"
import { lockClaim, readClaim } from "./claim-record.ts"

/**
 * Creates a payment for all or part of an approved claim. The payout is locked before the claim, as in other code. The
 * claim is then checked under its lock; if it may not be paid, the payment is rolled back.
 */
export const payClaim = command(claimsContract.pay, async (cx) => {
  const { claimId, idempotencyKey: _, amountCents: asked, ...order } = cx.input
  const claim = await readClaim(cx, claimId)
  orRefuse(applyTransition(claimLifecycle, claim, "pay"))
  await refuseRecordedPayees(cx, claimId)
  // A unique index refuses a concurrent second payment.
  const amountCents = orRefuse(payableAmount(claim, await sumPaidFor(cx.tx, "claim", claimId), asked, cx.currency))
  const { id, groupId, policyId, memberId, number } = claim
  const subject = { kind: "claim" as const, id, label: number }
  const payoutId = await makePayout(cx, { ...order, groupId, policyId, memberId, amountCents, subject })
  const locked = await lockClaim(cx, claimId)
  orRefuse(applyTransition(claimLifecycle, locked, "pay"))
  await refuseRecordedPayees(cx, claimId)
  orRefuse(payableAmount(locked, await sumPaidFor(cx.tx, "claim", claimId), amountCents, cx.currency))
  return payoutDetail(cx, payoutId)
})

async function refuseRecordedPayees({ tx }: Pick<Cx, "tx">, claimId: string): Promise<void> {
  const [payees] = await loadPayeeSets(tx, [claimId], true)
  if (payees) throw refused("WRONG_STATUS", "The payees of this claim are recorded. Prepare their payments instead.")
}
