import { randomUUID } from "node:crypto"
import type { contract } from "@milkwood/domain/contract"
import type { ReceiptForm } from "@milkwood/domain/receipts/receipt-shape"
import type { ReceiptDetail } from "@milkwood/domain/receipts/receipts.contract"
import type { ContractRouterClient } from "@orpc/contract"

type Client = Pick<ContractRouterClient<typeof contract>, "receipts">

export function createReceiptForm(
  form: Pick<ReceiptForm, "policyId" | "amountCents" | "receivedOn"> & Partial<ReceiptForm>,
): ReceiptForm {
  return { number: "", method: "bank_transfer", reference: "", notes: "", ...form }
}

export function recordedReceipt(
  manager: Client,
  form: Parameters<typeof createReceiptForm>[0],
): Promise<ReceiptDetail> {
  return manager.receipts.record({ idempotencyKey: randomUUID(), oldestFirst: true, ...createReceiptForm(form) })
}

export function createUnallocatedReceipt(
  manager: Client,
  form: Parameters<typeof createReceiptForm>[0],
): Promise<ReceiptDetail> {
  return manager.receipts.record({ idempotencyKey: randomUUID(), allocations: [], ...createReceiptForm(form) })
}

export async function createReversedReceipt(
  manager: Client,
  form: Parameters<typeof createReceiptForm>[0],
): Promise<ReceiptDetail> {
  const { id, version } = await recordedReceipt(manager, form)
  return manager.receipts.reverse({
    receiptId: id,
    version,
    idempotencyKey: randomUUID(),
    reason: "The cheque bounced",
  })
}
