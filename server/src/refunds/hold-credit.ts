import { randomUUID } from "node:crypto"
import type { PayoutFact } from "@milkwood/domain/payouts/payout-facts"
import { creditFor, remainingCreditOf } from "@milkwood/domain/receipts/receipt"
import type { Refund } from "@milkwood/domain/refunds/refund"
import {
  checkWithinCredit,
  completeHeldRefund,
  type RefundPart,
  refundFactHead,
  splitHeldCredit,
} from "@milkwood/domain/refunds/refund-steps"
import { sql } from "drizzle-orm"
import { type Cx, orRefuse } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { insertAllocations } from "../receipts/allocations.ts"
import { addRefunded, lockCredit, lockReceipt, saveReceipt } from "../receipts/receipt-record.ts"
import { lockRefund, saveRefund } from "./refund-record.ts"
import { refundParts } from "./refunds.tables.ts"

type FactOf<T extends PayoutFact["type"]> = Extract<PayoutFact, { type: T }>
type RefundHead = Pick<Refund, "id" | "groupId" | "policyId" | "amountCents">

/** Oldest receipt first, each locked. Refuses NOT_ENOUGH_CREDIT. */
export async function holdCredit(cx: Cx, refund: RefundHead): Promise<void> {
  const held = await lockCredit(cx.tx, refund.policyId)
  const credit = held.reduce((sum, receipt) => sum + remainingCreditOf(receipt), 0)
  orRefuse(checkWithinCredit(refund.amountCents, credit, cx.currency))
  await insertRefundParts(cx, refund, creditFor(refund.amountCents, held))
}

async function insertRefundParts(
  cx: Cx,
  refund: Omit<RefundHead, "amountCents">,
  parts: Omit<RefundPart, "id">[],
): Promise<void> {
  const { id: refundId, groupId, policyId } = refund
  await cx.tx.insert(refundParts).values(
    parts.map(({ receiptId, amountCents }) => ({
      ...{ id: randomUUID(), groupId, policyId, refundId, receiptId, amountCents },
      takenAt: cx.now,
    })),
  )
  await addRefunded(cx.tx, parts)
}

const readLiveParts = ({ tx }: Cx, refundId: string): Promise<RefundPart[]> =>
  tx.rows<RefundPart>(sql`
    select p.id, p.receipt_id as "receiptId", p.amount_cents as "amountCents"
    from refund_parts p join receipts r on r.id = p.receipt_id
    where p.refund_id = ${refundId} and p.released_at is null order by r.received_on, r.number, p.id`)

const releaseRefunded = ({ tx }: Cx, parts: readonly RefundPart[]): Promise<void> =>
  addRefunded(
    tx,
    parts.map(({ receiptId, amountCents }) => ({ receiptId, amountCents: -amountCents })),
  )

/** Returns the freed credit in cents. */
export async function releaseCredit(cx: Cx, refundId: string): Promise<number> {
  const parts = await readLiveParts(cx, refundId)
  await cx.tx.run(sql`
    update refund_parts set released_at = ${cx.now} where refund_id = ${refundId} and released_at is null`)
  await releaseRefunded(cx, parts)
  return parts.reduce((sum, { amountCents }) => sum + amountCents, 0)
}

/** Frees the credit after a failed, cancelled or returned payment. */
export async function releaseCreditOfPayment(
  cx: Cx,
  fact: FactOf<"PayoutFailed" | "PayoutCancelled" | "PayoutReturned">,
) {
  if (fact.subject.kind !== "refund") return
  const refund = await lockRefund(cx, fact.subject.id)
  const amountCents = await releaseCredit(cx, refund.id)
  // If the payment had failed before, its credit is already free.
  if (amountCents > 0) {
    await record(cx, [{ ...refundFactHead(refund), type: "RefundGivenBack", amountCents, reason: fact.reason }])
  }
}

/** Holds the credit again after a retry or a withdrawn return. */
export async function holdCreditAgain(cx: Cx, { subject }: FactOf<"PayoutRetried" | "PayoutReturnTakenBack">) {
  if (subject.kind !== "refund") return
  const refund = await lockRefund(cx, subject.id)
  await holdCredit(cx, refund)
  await record(cx, [{ ...refundFactHead(refund), type: "RefundTakenAgain", amountCents: refund.amountCents }])
}

async function applyHeldCreditTo(
  cx: Cx,
  refund: Refund,
  invoice: { id: string; number: string; outstandingCents: number },
): Promise<number> {
  const parts = await readLiveParts(cx, refund.id)
  const used = splitHeldCredit(invoice.outstandingCents, parts)
  for (const { part, cents } of used) {
    const { receipt } = await lockReceipt(cx, part.receiptId)
    await releaseRefunded(cx, [part])
    if (cents < part.amountCents) {
      // A part can only be released whole; the remainder is a new part.
      await cx.tx.run(sql`update refund_parts set released_at = ${cx.now}, is_split = true where id = ${part.id}`)
      await insertRefundParts(cx, refund, [{ receiptId: receipt.id, amountCents: part.amountCents - cents }])
      await insertUsedPart(cx, refund, { receiptId: receipt.id, amountCents: cents, invoiceId: invoice.id })
    } else {
      await cx.tx.run(sql`
        update refund_parts set released_at = ${cx.now}, invoice_id = ${invoice.id} where id = ${part.id}`)
    }
    await insertAllocations(cx, receipt, [{ invoiceId: invoice.id, amountCents: cents }], [invoice])
    await saveReceipt(cx, receipt, { value: { ...receipt, version: receipt.version + 1 }, facts: [] })
  }
  const cents = used.reduce((sum, one) => sum + one.cents, 0)
  if (cents === 0) return 0
  await record(cx, [{ ...refundFactHead(refund), type: "RefundKept", amountCents: cents, invoice: invoice.number }])
  return cents
}

async function insertUsedPart(
  cx: Cx,
  refund: Refund,
  used: { receiptId: string; amountCents: number; invoiceId: string },
): Promise<void> {
  const { id: refundId, groupId, policyId } = refund
  await cx.tx.insert(refundParts).values({
    ...{ id: randomUUID(), groupId, policyId, refundId, takenAt: cx.now, releasedAt: cx.now },
    ...used,
  })
}

/**
 * Allocates kept credit to invoices in the given order; completes the refund when all credit is used. The caller has
 * locked the policy.
 */
export async function allocateHeldCredit(
  cx: Cx,
  refundId: string,
  open: readonly { id: string; number: string; outstandingCents: number }[],
): Promise<void> {
  const refund = await lockRefund(cx, refundId)
  for (const invoice of open) await applyHeldCreditTo(cx, refund, invoice)
  if ((await readLiveParts(cx, refundId)).length === 0) {
    await saveRefund(cx, refund, { value: completeHeldRefund(refund, cx.today), facts: [] })
  }
}

/** Uses the oldest refund first. */
export async function payFromHeldCredit(
  cx: Cx,
  invoice: { id: string; number: string; policyId: string },
): Promise<void> {
  const kept = await cx.tx.rows<{ id: string }>(sql`
    select id from refunds where policy_id = ${invoice.policyId} and method = 'credit_note' and status = 'processing'
    order by number`)
  for (const { id } of kept) {
    const open = await cx.tx.row<{ cents: number }>(sql`
      select total_cents - credited_cents - allocated_cents - written_off_cents as cents from invoices where id = ${invoice.id}`)
    if (open!.cents > 0) await allocateHeldCredit(cx, id, [{ ...invoice, outstandingCents: open!.cents }])
  }
}
