import { maxDay } from "@milkwood/domain/kernel/calendar"
import { receiptsContract } from "@milkwood/domain/receipts/receipts.contract"
import { sql } from "drizzle-orm"
import { reverse } from "../ledger/post.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { command } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { currentReceipt, policyOfReceipt } from "./allocate-receipt.ts"
import { openInvoicesOf, receiptDetail } from "./receipts.queries.ts"
import { receiptNews, releaseAllocations } from "./receipts.ts"

export const reverseReceipt = command(receiptsContract.reverse, async (cx) => {
  const { tx, input, now, today } = cx
  const { policyId } = await policyOfReceipt(cx, input.receiptId)
  await openInvoicesOf(tx, policyId, { lock: true })
  const receipt = await currentReceipt(cx, input.receiptId, input.version)
  const live = await tx.rows<{ id: string }>(
    sql`select id from receipt_allocations where receipt_id = ${receipt.id} and released_at is null`,
  )
  const invoiceIds = await releaseAllocations(
    cx,
    live.map(({ id }) => id),
    `receipt ${receipt.number} was reversed`,
  )
  const on = maxDay(today, receipt.receivedOn)
  await reverse(cx, [{ source: `receipt:${receipt.id}`, on, reason: input.reason }])
  await tx.run(sql`
    update receipts set reversed_on = ${on}, reversed_at = ${now}, reversed_by = ${actorUserId(cx.actor)},
      reverse_reason = ${input.reason}, version = version + 1
    where id = ${receipt.id}`)
  await record(cx, [
    {
      ...receiptNews(receipt),
      type: "ReceiptReversed",
      invoiceIds,
      amountCents: receipt.amountCents,
      reason: input.reason,
    },
  ])
  return receiptDetail(cx, receipt.id)
})
