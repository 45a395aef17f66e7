import type { Claim } from "@milkwood/domain/claims/claim"
import { claimLifecycle } from "@milkwood/domain/claims/claim-lifecycle"
import { refuseEnteredPayee } from "@milkwood/domain/claims/claim-payees"
import { payableAmount } from "@milkwood/domain/claims/claim-review"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { applyTransition } from "@milkwood/domain/kernel/lifecycle"
import { makePayout } from "../payouts/make-payout.ts"
import { payoutDetail, sumPaidFor } from "../payouts/payouts.queries.ts"
import { type Cx, command, orRefuse } from "../platform/calls/commands.ts"
import { hasPaymentsOf, loadPayeeSets } from "./claim-payees.queries.ts"
import { lockClaim, readClaim } from "./claim-record.ts"

/**
 * Creates a payment for all or part of an approved claim. The payout is locked before the claim, as in other code. The
 * claim is then checked under its lock; if it may not be paid, the payment is rolled back.
 */
export const payClaim = command(claimsContract.pay, async (cx) => {
  const { claimId, idempotencyKey: _, amountCents: asked, ...order } = cx.input
  const claim = await readClaim(cx, claimId)
  orRefuse(applyTransition(claimLifecycle, claim, "pay"))
  await expectEnteredPayee(cx, claim)
  // A unique index refuses a concurrent second payment.
  const amountCents = orRefuse(payableAmount(claim, await sumPaidFor(cx.tx, "claim", claimId), asked, cx.currency))
  const { id, groupId, policyId, memberId, number } = claim
  const subject = { kind: "claim" as const, id, label: number }
  const payoutId = await makePayout(cx, { ...order, groupId, policyId, memberId, amountCents, subject })
  const locked = await lockClaim(cx, claimId)
  orRefuse(applyTransition(claimLifecycle, locked, "pay"))
  await expectEnteredPayee(cx, locked, payoutId)
  orRefuse(payableAmount(locked, await sumPaidFor(cx.tx, "claim", claimId), amountCents, cx.currency))
  return payoutDetail(cx, payoutId)
})

/** `exceptId`: the payment that is made. */
async function expectEnteredPayee({ tx }: Pick<Cx, "tx">, claim: Claim, exceptId: string | null = null): Promise<void> {
  const [payees] = await loadPayeeSets(tx, [claim.id], true)
  const hasPayments = await hasPaymentsOf(tx, claim.id, exceptId)
  orRefuse(refuseEnteredPayee(claim, { hasPayees: payees !== undefined, hasPayments }))
}
