import { receiptTaken } from "@milkwood/domain/ledger/posting-rules"
import { receiptSource } from "@milkwood/domain/receipts/receipt"
import { checkReceiptPolicy, edit } from "@milkwood/domain/receipts/receipt-steps"
import { receiptsContract } from "@milkwood/domain/receipts/receipts.contract"
import { post, reverse } from "../ledger/post.ts"
import { actorUserId } from "../platform/calls/actor.ts"
import { command, orRefuse, refused } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { readRecord } from "../platform/database/record.ts"
import { findPolicyHead } from "../policies/policy-record.ts"
import { lockReceipt, saveReceipt } from "./receipt-record.ts"
import { readEarlierUses, readReceiptDetail } from "./receipts.queries.ts"
import { receiptEdits, receipts } from "./receipts.tables.ts"

/** Reverses the old ledger entry on its own day, so that the money is not counted twice on any day. */
export const updateReceipt = command(receiptsContract.update, async (cx) => {
  const { receiptId, version, ...form } = cx.input
  const { tx, today, now } = cx
  // Locks both policies before the receipt, in a fixed order, to avoid deadlocks.
  const { policyId } = await readRecord(tx, receipts, receiptId)
  const held = new Map<string, Awaited<ReturnType<typeof findPolicyHead>>>()
  for (const id of [...new Set([policyId, form.policyId])].sort()) held.set(id, await findPolicyHead(tx, id))
  const policy = orRefuse(checkReceiptPolicy(held.get(form.policyId), form.receivedOn, today))
  const { receipt } = await lockReceipt(cx, receiptId)
  if (receipt.policyId !== policyId) throw refused("BUSY")
  const { deposit, ...was } = await readEarlierUses(tx, receiptId)
  const fromPolicy = held.get(policyId)!.number
  const edited = orRefuse(
    edit(receipt, form, { ...was, policy, fromPolicy, deposit: deposit ? { number: deposit } : null }),
  )
  expectVersion(receipt, version)
  if (edited.isPosted) {
    const { postedVersion, amountCents, method, paidInto, receivedOn } = receipt
    const before = { receiptId, postedVersion, policyId, amountCents, method, paidInto, receivedOn }
    await tx.insert(receiptEdits).values({ ...before, editedBy: actorUserId(cx.actor), editedAt: now })
    await reverse(cx, [{ source: receiptSource(receipt), on: receivedOn, reason: "corrected" }])
  }
  await saveReceipt(cx, receipt, edited)
  if (edited.isPosted) {
    const { number, amountCents, paidInto, receivedOn: on, groupId } = edited.value
    const source = receiptSource(edited.value)
    await post(
      cx,
      receiptTaken({ receiptId, source, number, paidInto, amountCents, on, policy: { policyId: policy.id, groupId } }),
    )
  }
  return readReceiptDetail(cx, receiptId)
})
