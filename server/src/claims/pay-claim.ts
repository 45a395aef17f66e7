import { claimLifecycle } from "@milkwood/domain/claims/claim-lifecycle"
import { payableAmount } from "@milkwood/domain/claims/claim-review"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { applyTransition } from "@milkwood/domain/kernel/lifecycle"
import { makePayout } from "../payouts/make-payout.ts"
import { payoutDetail, sumPaidFor } from "../payouts/payouts.queries.ts"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { lockClaim, readClaim } from "./claim-record.ts"

/**
 * Creates a payment for all or part of an approved claim. Payouts lock before claims, as everywhere; the claim is
 * checked again under its lock, and the payment is rolled back if it may not be paid.
 */
export const payClaim = command(claimsContract.pay, async (cx) => {
  const { claimId, idempotencyKey: _, amountCents: asked, ...order } = cx.input
  const claim = await readClaim(cx, claimId)
  orRefuse(applyTransition(claimLifecycle, claim, "pay"))
  // A unique index finds concurrent live payments.
  const amountCents = orRefuse(payableAmount(claim, await sumPaidFor(cx.tx, "claim", claimId), asked, cx.currency))
  const { id, groupId, policyId, memberId, number } = claim
  const subject = { kind: "claim" as const, id, label: number }
  const payoutId = await makePayout(cx, { ...order, groupId, policyId, memberId, amountCents, subject })
  const locked = await lockClaim(cx, claimId)
  orRefuse(applyTransition(claimLifecycle, locked, "pay"))
  orRefuse(payableAmount(locked, await sumPaidFor(cx.tx, "claim", claimId), amountCents, cx.currency))
  return payoutDetail(cx, payoutId)
})
