import { reverse } from "@milkwood/domain/receipts/receipt-steps"
import { receiptsContract } from "@milkwood/domain/receipts/receipts.contract"
import { sql } from "drizzle-orm"
import { reverse as reverseEntries } from "../ledger/post.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { releaseAllocations } from "./allocations.ts"
import { lockReceipt, saveReceipt } from "./receipt-record.ts"
import { receiptDetail } from "./receipts.queries.ts"

export const reverseReceipt = command(receiptsContract.reverse, async (cx) => {
  const { tx, input, now, today } = cx
  const { reason } = input
  const { receipt } = await lockReceipt(cx, input.receiptId)
  const live = await tx.rows<{ id: string; invoiceId: string }>(sql`
    select id, invoice_id as "invoiceId" from receipt_allocations
    where receipt_id = ${receipt.id} and released_at is null`)
  const invoiceIds = [...new Set(live.map(({ invoiceId }) => invoiceId))]
  const reversed = orRefuse(reverse(receipt, { reason, invoiceIds }, ruleActor(cx.actor), today, now))
  expectVersion(receipt, input.version)
  const allocationIds = live.map(({ id }) => id)
  await releaseAllocations(cx, allocationIds, `receipt ${receipt.number} was reversed`)
  await reverseEntries(cx, [{ source: `receipt:${receipt.id}`, on: reversed.value.reversedOn, reason }])
  await saveReceipt(cx, receipt, reversed)
  return receiptDetail(cx, receipt.id)
})
