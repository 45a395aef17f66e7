import type { ListInput } from "@milkwood/domain/kernel/list"
import type { AllocationInput } from "@milkwood/domain/receipts/receipt-shape"
import type { ReceiptDetail } from "@milkwood/domain/receipts/receipts.contract"
import type { receiptsList } from "@milkwood/domain/receipts/receipts.list"
import { api, newKey } from "../platform/api.ts"
import { toast } from "../ui/toast.tsx"
import { useCommand } from "../ui/use-command.ts"

export const receiptsQuery = (input: Partial<ListInput<typeof receiptsList>>) =>
  api.receipts.list.queryOptions({ input })
export const receiptQuery = (receiptId: string) => api.receipts.detail.queryOptions({ input: { receiptId } })
export const openInvoicesQuery = (policyId: string) => api.receipts.openInvoices.queryOptions({ input: { policyId } })
export const receiptPdfHref = (receiptId: string) => `/api/receipts/${receiptId}/pdf`
export const receiptMailQuery = (receiptId: string) => api.receipts.draftMail.queryOptions({ input: { receiptId } })
export const nextReceiptNumberQuery = () => api.receipts.nextNumber.queryOptions({ input: {} })

export type CreditOfferInput = { invoiceIds: string[] } | { runId: string }
export const creditOfferQuery = (input: CreditOfferInput) =>
  api.receipts.creditOffer.queryOptions({ input, retry: false, gcTime: 0 })

export const useRecordReceipt = () =>
  useCommand(api.receipts.record, {
    success: receiptCreatedMessage,
    failure: "Failed to create receipt",
  })

const receiptCreatedMessage = () => ({
  title: "Receipt Created",
  message: "Receipt has been created and allocated to the policy successfully.",
})

export const useRecordDeposit = () =>
  useCommand(api.receipts.recordDeposit, {
    success: ({ receipts }) => ({
      title: "Receipt Created",
      message: `${receipts.length} receipts have been created and allocated to their policies successfully.`,
    }),
    failure: "Failed to create receipt",
  })

/**
 * Allocates a receipt (by default to the oldest due) and undoes allocations; each toast offers Undo.
 *
 *     const { allocate, takeBack } = useAllocating()
 *     await allocate(receipt, parts)
 */
export function useAllocationCommands() {
  const { mutateAsync: give } = useCommand(api.receipts.allocate, { failure: "Failed to allocate the receipt" })
  const { mutateAsync: unallocate } = useCommand(api.receipts.unallocate, {
    failure: "Failed to undo the allocation",
  })
  const of = ({ id, version }: ReceiptDetail) => ({ receiptId: id, version })
  const allocate = async (receipt: ReceiptDetail, allocations?: AllocationInput[], idempotencyKey = newKey()) => {
    const known = new Set(receipt.allocations.map(({ id }) => id))
    const after = await give({ ...of(receipt), idempotencyKey, ...(allocations ? { allocations } : {}) })
    const made = after.allocations.filter(({ id }) => !known.has(id))
    toast.success("Receipt allocated", { undo: () => void takeBack(after, made).catch(() => undefined) })
  }
  const takeBack = async (receipt: ReceiptDetail, parts: readonly (AllocationInput & { id: string })[]) => {
    const allocationIds = parts.map(({ id }) => id)
    const after = await unallocate({ ...of(receipt), idempotencyKey: newKey(), allocationIds })
    const again = parts.map(({ invoiceId, amountCents }) => ({ invoiceId, amountCents }))
    toast.success("Allocation undone", { undo: () => void allocate(after, again).catch(() => undefined) })
  }
  return { allocate, takeBack }
}

export const useReceiptCommands = () => ({
  update: useCommand(api.receipts.update, { success: "Receipt saved", failure: "Failed to save the receipt" }),
  reverse: useCommand(api.receipts.reverse, { success: "Receipt reversed", failure: "Failed to reverse the receipt" }),
  reverseDeposit: useCommand(api.receipts.reverseDeposit, {
    success: ({ receipts }) => `All ${receipts.length} receipts of the deposit are reversed`,
    failure: "Failed to reverse the deposit",
  }),
  mail: useCommand(api.receipts.mail, {
    success: ({ mailed }, { mail }) =>
      mailed
        ? `On its way to ${mail.to}`
        : { title: "E-mail saved", message: "Not sent: no mail server is set up. It stays in the outbox." },
    failure: "Failed to send the e-mail",
  }),
})

export const writeOffsQuery = (invoiceId: string) => api.receipts.writeOffs.queryOptions({ input: { invoiceId } })

export const waitingWriteOffsQuery = () => api.receipts.waitingWriteOffs.queryOptions({ input: {} })

export const useWriteOffCommands = () => ({
  writeOff: useCommand(api.receipts.writeOff, {
    success: ([latest]) =>
      latest?.state === "waiting" ? "A second person must confirm the write-off" : "Written off successfully",
    failure: "Failed to write off",
  }),
  confirm: useCommand(api.receipts.confirmWriteOff, {
    success: "Written off successfully",
    failure: "Failed to write off",
  }),
  decline: useCommand(api.receipts.declineWriteOff, {
    success: "Write-off declined",
    failure: "Failed to decline the write-off",
  }),
  reverse: useCommand(api.receipts.reverseWriteOff, {
    success: "Write-off reversed",
    failure: "Failed to reverse the write-off",
  }),
})
