import { checkAllocations } from "@milkwood/domain/receipts/receipt-shape"
import { receiptsContract } from "@milkwood/domain/receipts/receipts.contract"
import { sql } from "drizzle-orm"
import { type Cx, command, orRefuse, refused } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { openInvoicesOf, receiptDetail } from "./receipts.queries.ts"
import { insertAllocations, type LockedReceipt, lockReceipt } from "./receipts.ts"

export const allocateReceipt = command(receiptsContract.allocate, async (cx) => {
  const { tx, input } = cx
  const { policyId } = await policyOfReceipt(cx, input.receiptId)
  const open = await openInvoicesOf(tx, policyId, { lock: true })
  const receipt = await currentReceipt(cx, input.receiptId, input.version)
  const left = receipt.amountCents - receipt.allocatedCents
  const allocations = orRefuse(checkAllocations(input.allocations, left, open))
  await insertAllocations(cx, receipt, allocations, open)
  await tx.run(sql`update receipts set version = version + 1 where id = ${receipt.id}`)
  return receiptDetail(cx, receipt.id)
})

export async function policyOfReceipt({ tx }: Cx, receiptId: string): Promise<{ policyId: string }> {
  const found = await tx.row<{ policyId: string }>(
    sql`select policy_id as "policyId" from receipts where id = ${receiptId}`,
  )
  if (!found) throw refused("NOT_FOUND")
  return found
}

/** The receipt under lock, as the asker last read it and not reversed. */
export async function currentReceipt(cx: Cx, receiptId: string, version: number): Promise<LockedReceipt> {
  const receipt = await lockReceipt(cx, receiptId)
  if (receipt.reversedAt !== null) throw refused("REVERSED")
  expectVersion(receipt, version)
  return receipt
}
