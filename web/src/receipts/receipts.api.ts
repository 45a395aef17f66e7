import type { ListInput } from "@milkwood/domain/kernel/list"
import type { receiptsList } from "@milkwood/domain/receipts/receipts.list"
import { api } from "../platform/api.ts"
import { useCommand } from "../ui/use-command.ts"

export const receiptsQuery = (input: Partial<ListInput<typeof receiptsList>>) =>
  api.receipts.list.queryOptions({ input })
export const receiptQuery = (receiptId: string) => api.receipts.detail.queryOptions({ input: { receiptId } })
export const openInvoicesQuery = (policyId: string) => api.receipts.openInvoices.queryOptions({ input: { policyId } })
export const nextReceiptNumberQuery = () => api.receipts.nextNumber.queryOptions({ input: {} })

/** The unsent invoices that credit is offered for. */
export type CreditAsked = { invoiceIds: string[] } | { runId: string }
export const creditOfferQuery = (input: CreditAsked) =>
  api.receipts.creditOffer.queryOptions({ input, retry: false, gcTime: 0 })

export const useRecordReceipt = () =>
  useCommand(api.receipts.record, {
    success: (receipt) => ({
      title: "Receipt Created",
      message:
        receipt.allocatedCents > 0
          ? "Receipt has been created and allocated to the policy successfully."
          : "Receipt has been created as unallocated credit.",
    }),
    failure: "Failed to create receipt",
  })

export const useAllocateReceipt = () =>
  useCommand(api.receipts.allocate, {
    success: "Receipt allocated",
    failure: "Failed to allocate the receipt",
  })

export const useReverseReceipt = () =>
  useCommand(api.receipts.reverse, { success: "Receipt reversed", failure: "Failed to reverse the receipt" })

/** What was written off on an invoice, or is to be. */
export const writeOffsQuery = (invoiceId: string) => api.receipts.writeOffs.queryOptions({ input: { invoiceId } })

/** Write-offs that wait for a second person. */
export const waitingWriteOffsQuery = () => api.receipts.waitingWriteOffs.queryOptions({ input: {} })

export const useWriteOffCommands = () => ({
  writeOff: useCommand(api.receipts.writeOff, {
    success: ([latest]) =>
      latest?.state === "waiting" ? "The write-off waits for a second person" : "Written off successfully",
    failure: "Failed to write off",
  }),
  confirm: useCommand(api.receipts.confirmWriteOff, {
    success: "Written off successfully",
    failure: "Failed to write off",
  }),
  decline: useCommand(api.receipts.declineWriteOff, { success: "Write-off declined", failure: "Failed to decline" }),
  reverse: useCommand(api.receipts.reverseWriteOff, { success: "Write-off reversed", failure: "Failed to reverse" }),
})
