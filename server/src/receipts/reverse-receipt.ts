import type { Day } from "@milkwood/domain/kernel/calendar"
import { receiptSource } from "@milkwood/domain/receipts/receipt"
import { refuseReversed, reverse } from "@milkwood/domain/receipts/receipt-steps"
import { receiptsContract } from "@milkwood/domain/receipts/receipts.contract"
import { sql } from "drizzle-orm"
import { reverse as reverseEntries } from "../ledger/post.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { releaseAllocations } from "./allocations.ts"
import { lockReceipt, saveReceipt } from "./receipt-record.ts"
import { readDepositDetail, readReceiptDetail } from "./receipts.queries.ts"

export const reverseReceipt = command(receiptsContract.reverse, async (cx) => {
  const { receiptId, version, reason } = cx.input
  await reverseOneReceipt(cx, receiptId, reason, { version })
  return readReceiptDetail(cx, receiptId)
})

export const reverseDeposit = command(receiptsContract.reverseDeposit, async (cx) => {
  const { depositId, reason } = cx.input
  await readDepositDetail(cx.tx, depositId)
  const standing = await cx.tx.rows<{ id: string }>(sql`
    select id from receipts where deposit_id = ${depositId} and reversed_at is null order by policy_id`)
  if (standing.length === 0) orRefuse(refuseReversed({ reversedAt: "" }))
  for (const { id } of standing) await reverseOneReceipt(cx, id, reason)
  return readDepositDetail(cx.tx, depositId)
})

/**
 * Releases the allocations, then reverses the receipt; also called by other modules. Refuses REVERSED and REFUNDED like
 * `receipts.reverse`; STALE if a version is given. `on` is the effective date, default today.
 */
export async function reverseOneReceipt(
  cx: Cx,
  receiptId: string,
  reason: string,
  { version, on: today = cx.today }: { version?: number; on?: Day } = {},
): Promise<void> {
  const { tx, now } = cx
  const { receipt } = await lockReceipt(cx, receiptId)
  const live = await tx.rows<{ id: string; invoiceId: string }>(sql`
    select id, invoice_id as "invoiceId" from receipt_allocations
    where receipt_id = ${receipt.id} and released_at is null`)
  const invoiceIds = [...new Set(live.map(({ invoiceId }) => invoiceId))]
  const reversed = orRefuse(reverse(receipt, { reason, invoiceIds }, ruleActor(cx.actor), today, now, cx.currency))
  if (version !== undefined) expectVersion(receipt, version)
  const allocationIds = live.map(({ id }) => id)
  await releaseAllocations({ ...cx, today }, allocationIds, `receipt ${receipt.number} was reversed`)
  await reverseEntries(cx, [{ source: receiptSource(receipt), on: reversed.value.reversedOn, reason }])
  await saveReceipt(cx, receipt, reversed)
}
