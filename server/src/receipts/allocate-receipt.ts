import { checkAllocations } from "@milkwood/domain/receipts/receipt-shape"
import { refuseReversed } from "@milkwood/domain/receipts/receipt-steps"
import { receiptsContract } from "@milkwood/domain/receipts/receipts.contract"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { insertAllocations } from "./allocations.ts"
import { lockReceipt, saveReceipt } from "./receipt-record.ts"
import { receiptDetail } from "./receipts.queries.ts"

export const allocateReceipt = command(receiptsContract.allocate, async (cx) => {
  const { receipt, open } = await lockReceipt(cx, cx.input.receiptId)
  // Before the version: whoever was slower than a reversal reads that, and not that something has changed.
  orRefuse(refuseReversed(receipt))
  expectVersion(receipt, cx.input.version)
  const left = receipt.amountCents - receipt.allocatedCents
  const allocations = orRefuse(checkAllocations(cx.input.allocations, left, open))
  await insertAllocations(cx, receipt, allocations, open)
  await saveReceipt(cx, receipt, { value: { ...receipt, version: receipt.version + 1 }, facts: [] })
  return receiptDetail(cx, receipt.id)
})
