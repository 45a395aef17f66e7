import { randomUUID } from "node:crypto"
import { isCorrectionReason, isHeldAsCredit, type Refund } from "@milkwood/domain/refunds/refund"
import { cancelHeldRefund, refundMadeFact } from "@milkwood/domain/refunds/refund-steps"
import { refundsContract } from "@milkwood/domain/refunds/refunds.contract"
import { sql } from "drizzle-orm"
import { PolicyParked } from "../billing/bill-policy.ts"
import { correctBilledMonths, parkedReasonText, previewCorrection } from "../billing/correct-billed.ts"
import { makePayout } from "../payouts/make-payout.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { type Cx, command, invalidInput, orRefuse, query, refused } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { nextNumber } from "../platform/database/numbering.ts"
import { readRecord } from "../platform/database/record.ts"
import { record } from "../platform/trail/facts.ts"
import { lockPolicy } from "../policies/policy-record.ts"
import { lockOpenInvoices } from "../receipts/receipt-record.ts"
import { readPolicyCredit } from "../receipts/receipts.queries.ts"
import { allocateHeldCredit, holdCredit, releaseCredit } from "./hold-credit.ts"
import { lockRefund, saveRefund } from "./refund-record.ts"
import { readPayee, readRefundDetail } from "./refunds.queries.ts"
import { refunds } from "./refunds.tables.ts"

export const readRefundOffer = query(refundsContract.offer, async (cx) => {
  const { policyId, reason } = cx.input
  const nothing = { totalCents: 0, releasedCents: 0, sentences: [], parked: null }
  const correction = isCorrectionReason(reason) ? await previewCorrection(cx, policyId) : nothing
  const creditCents = await readPolicyCredit(cx.tx, policyId)
  return {
    creditCents,
    correctionCents: correction.totalCents,
    correction: correction.sentences,
    creditAfterCents: creditCents + correction.releasedCents,
    releasedCents: correction.releasedCents,
    parked: correction.parked,
    payee: await readPayee(cx.tx, policyId),
  }
})

/** Locks the policy first, so that billing, receipts, allocations and other refunds wait. */
export const processRefund = command(refundsContract.process, async (cx) => {
  const { input, tx, today, now } = cx
  const { method, payeeName, payeeBank, payeeBranchCode, payeeAccountNumber } = input
  const policy = await lockPolicy(tx, input.policyId)
  if (policy.status === "Draft") throw invalidInput([{ path: "policyId", message: "This policy is still a draft" }])
  if (input.memberId !== null) {
    const member = await tx.row(sql`select from members where id = ${input.memberId} and policy_id = ${policy.id}`)
    if (!member) throw invalidInput([{ path: "memberId", message: "This member is not on this policy" }])
  }
  const correctedCents = isCorrectionReason(input.reason) ? await correctBilling(cx, policy, input.correctionCents) : 0
  const { memberId, amountCents, reason, periodFromOn, periodToOn, notes } = input
  const refund: Refund = {
    id: randomUUID(),
    number: await nextNumber(tx, "refund", today),
    groupId: policy.groupId,
    policyId: policy.id,
    ...{ memberId, amountCents, method, reason, periodFromOn, periodToOn, notes },
    reference: input.reference,
    status: isHeldAsCredit(input) ? "processing" : "pending",
    refundedOn: null,
    statusReason: null,
    version: 1,
  }
  refund.reference ||= refund.number
  await tx.insert(refunds).values({ ...refund, correctedCents, createdBy: actorUserId(cx.actor)!, createdAt: now })
  await holdCredit(cx, refund)
  await record(cx, [refundMadeFact(refund)])
  if (method === "credit_note") await allocateHeldCredit(cx, refund.id, await lockOpenInvoices(tx, policy.id))
  else {
    const known = await readPayee(tx, policy.id)
    await makePayout(cx, {
      ...{ groupId: policy.groupId, policyId: policy.id, amountCents, notes, reference: refund.reference },
      ...{ method, payeeName, payeeBank, payeeBranchCode, payeeAccountNumber, payeeEmail: "" },
      // The payee is the premium payer, even if the refund is about a member.
      memberId: null,
      isPayeeNew: !known.isKnown,
      subject: { kind: "refund", id: refund.id, label: refund.number },
    })
  }
  return readRefundDetail(cx, refund.id)
})

async function correctBilling(
  cx: Cx,
  policy: Awaited<ReturnType<typeof lockPolicy>>,
  seenCents: number,
): Promise<number> {
  try {
    const cents = await correctBilledMonths(cx, policy)
    if (cents !== seenCents) throw refused("CHANGED")
    return cents
  } catch (error) {
    if (error instanceof PolicyParked) throw refused("NOT_CORRECTABLE", parkedReasonText(error))
    throw error
  }
}

export const cancelRefund = command(refundsContract.cancel, async (cx) => {
  const { refundId, version, reason } = cx.input
  const { policyId } = await readRecord(cx.tx, refunds, refundId)
  await lockPolicy(cx.tx, policyId)
  const refund = await lockRefund(cx, refundId)
  orRefuse(cancelHeldRefund(refund, { leftCents: 0, reason }))
  expectVersion(refund, version)
  const leftCents = await releaseCredit(cx, refundId)
  await saveRefund(cx, refund, orRefuse(cancelHeldRefund(refund, { leftCents, reason })))
  return readRefundDetail(cx, refundId)
})
