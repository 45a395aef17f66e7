import type { ListInput } from "@milkwood/domain/kernel/list"
import type { payoutsList } from "@milkwood/domain/payouts/payouts.list"
import { api } from "../platform/api.ts"
import { useCommand } from "../ui/use-command.ts"

export const payoutsQuery = (input: Partial<ListInput<typeof payoutsList>>) => api.payouts.list.queryOptions({ input })
export const payoutQuery = (payoutId: string) => api.payouts.detail.queryOptions({ input: { payoutId } })
export const payableClaimsQuery = (input: { search?: string; claimId?: string }) =>
  api.claims.payable.queryOptions({ input })

export const useMakePayment = () =>
  useCommand(api.claims.pay, {
    success: () => ({ title: "Payment made", message: "It waits to be released." }),
    failure: "Failed to make the payment",
  })

export const usePayoutCommands = () => ({
  changePayee: useCommand(api.payouts.changePayee, {
    success: "Payee changed",
    failure: "Failed to change the payee",
  }),
  release: useCommand(api.payouts.release, {
    success: "Payment released",
    failure: "Failed to release the payment",
  }),
  complete: useCommand(api.payouts.complete, {
    success: ({ subject }) =>
      subject.kind === "refund"
        ? { title: "Refund Processed", message: "Premium refund has been processed successfully" }
        : { title: "Payment Processed", message: "Claim payment has been processed successfully" },
    failure: "Failed to complete the payment",
  }),
  fail: useCommand(api.payouts.fail, {
    success: "Payment marked as failed",
    failure: "Failed to mark the payment as failed",
  }),
  retry: useCommand(api.payouts.retry, {
    success: "Payment is up for release again",
    failure: "Failed to retry the payment",
  }),
  return: useCommand(api.payouts.return, {
    success: "Return recorded",
    failure: "Failed to record the return",
  }),
  cancel: useCommand(api.payouts.cancel, {
    success: "Payment cancelled",
    failure: "Failed to cancel the payment",
  }),
})
