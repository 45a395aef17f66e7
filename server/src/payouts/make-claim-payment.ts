import { randomUUID } from "node:crypto"
import { payoutsContract } from "@milkwood/domain/payouts/payouts.contract"
import { actorUserId } from "../platform/calls/actor.ts"
import { command, refused } from "../platform/calls/commands.ts"
import { nextNumber } from "../platform/database/numbering.ts"
import { record } from "../platform/trail/facts.ts"
import { claimToPay, payoutDetail } from "./payouts.queries.ts"
import { payouts } from "./payouts.tables.ts"

export const makeClaimPayment = command(payoutsContract.create, async (cx) => {
  const { tx, input, now, today } = cx
  const claim = await claimToPay(tx, input.claimId)
  if (!claim) throw refused("NOT_PAYABLE")
  const { idempotencyKey: _key, claimId, reference, notes, ...payee } = input
  const userId = actorUserId(cx.actor)!
  const payout = {
    id: randomUUID(),
    groupId: claim.groupId,
    policyId: claim.policyId,
    number: await nextNumber(tx, "payout", Number(today.slice(0, 4))),
    kind: "claim_payment" as const,
    claimId,
    amountCents: claim.approvedCents,
    reference: reference || claim.number,
    notes,
    ...payee,
    preparedBy: [userId],
    createdBy: userId,
    createdAt: now,
  }
  await tx.insert(payouts).values(payout)
  await record(cx, [
    {
      type: "PayoutMade",
      record: { kind: "payout", id: payout.id, label: payout.number },
      groupId: payout.groupId,
      claimId,
      amountCents: payout.amountCents,
      after: { method: payee.method, payeeName: payee.payeeName, reference: payout.reference },
    },
  ])
  return payoutDetail(cx, payout.id)
})
