import { remainingCreditOf } from "@milkwood/domain/receipts/receipt"
import { allocateOldestFirst, checkAllocations } from "@milkwood/domain/receipts/receipt-shape"
import { allocationReleasedFact, refuseReversed } from "@milkwood/domain/receipts/receipt-steps"
import { receiptsContract } from "@milkwood/domain/receipts/receipts.contract"
import { sql } from "drizzle-orm"
import { command, orRefuse, refused } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { record } from "../platform/trail/facts.ts"
import { insertAllocations, releaseAllocations } from "./allocations.ts"
import { lockReceipt, saveReceipt } from "./receipt-record.ts"
import { readReceiptDetail } from "./receipts.queries.ts"

export const allocateReceipt = command(receiptsContract.allocate, async (cx) => {
  const { receipt, open } = await lockReceipt(cx, cx.input.receiptId)
  // Before the version check: a reversed receipt must give REVERSED, not STALE.
  orRefuse(refuseReversed(receipt))
  expectVersion(receipt, cx.input.version)
  const asked = cx.input.allocations ?? allocateOldestFirst(remainingCreditOf(receipt), open)
  if (asked.length === 0) throw refused("NOTHING_TO_ALLOCATE")
  const allocations = orRefuse(checkAllocations(asked, remainingCreditOf(receipt), open, cx.currency))
  await insertAllocations(cx, receipt, allocations, open)
  await saveReceipt(cx, receipt, { value: { ...receipt, version: receipt.version + 1 }, facts: [] })
  return readReceiptDetail(cx, receipt.id)
})

export const unallocateReceipt = command(receiptsContract.unallocate, async (cx) => {
  const { receiptId, version, allocationIds } = cx.input
  const { receipt } = await lockReceipt(cx, receiptId)
  orRefuse(refuseReversed(receipt))
  expectVersion(receipt, version)
  const wanted = [...new Set(allocationIds)]
  const found = await cx.tx.rows<{ id: string; invoiceId: string; amountCents: number }>(sql`
    select id, invoice_id as "invoiceId", amount_cents as "amountCents" from receipt_allocations
    where receipt_id = ${receiptId} and released_at is null and id = any (${sql.param(wanted)}::uuid[])`)
  if (found.length < wanted.length) throw refused("NOT_ALLOCATED")
  await releaseAllocations(cx, wanted, "taken back")
  await record(
    cx,
    found.map(({ invoiceId, amountCents }) => allocationReleasedFact(receipt, invoiceId, amountCents, "taken back")),
  )
  await saveReceipt(cx, receipt, { value: { ...receipt, version: receipt.version + 1 }, facts: [] })
  return readReceiptDetail(cx, receipt.id)
})
