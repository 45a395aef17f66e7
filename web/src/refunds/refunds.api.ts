import type { ListInput } from "@milkwood/domain/kernel/list"
import type { RefundReason } from "@milkwood/domain/refunds/refund"
import type { refundsList } from "@milkwood/domain/refunds/refunds.list"
import { skipToken } from "@tanstack/react-query"
import { api } from "../platform/api.ts"
import { useCommand } from "../ui/use-command.ts"

export const refundsQuery = (input: Partial<ListInput<typeof refundsList>>) => api.refunds.list.queryOptions({ input })
export const refundQuery = (refundId: string) => api.refunds.detail.queryOptions({ input: { refundId } })

export const refundOfferQuery = (policyId: string | null, reason: RefundReason) =>
  api.refunds.offer.queryOptions({ input: policyId ? { policyId, reason } : skipToken, gcTime: 0 })

export const refundProcessed = {
  title: "Refund Processed",
  message: "Premium refund has been processed successfully",
}

export const useProcessRefund = () =>
  useCommand(api.refunds.process, {
    // A paid-out refund is processed when its payment completes; a kept one at once.
    success: ({ payoutId }) =>
      payoutId === null ? refundProcessed : { title: "Refund prepared", message: "It is waiting for release." },
    failure: "Failed to process the refund",
  })

export const useCancelRefund = () =>
  useCommand(api.refunds.cancel, { success: "Refund cancelled", failure: "Failed to cancel the refund" })
