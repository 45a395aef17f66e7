import type { PayoutStatus } from "@milkwood/domain/payouts/payout"
import { api } from "../platform/api.ts"
import type { ListSearch } from "../ui/list-address.ts"
import { useCommand } from "../ui/use-command.ts"

export type PayoutSort = "number" | "memberName" | "amountCents" | "createdAt" | "completedOn"
export type PayoutSearch = ListSearch & { sort: PayoutSort; status?: PayoutStatus }

export const payoutsQuery = (input: PayoutSearch) => api.payouts.list.queryOptions({ input })
export const payoutQuery = (payoutId: string) => api.payouts.detail.queryOptions({ input: { payoutId } })
export const payableClaimsQuery = (input: { search?: string; claimId?: string }) =>
  api.payouts.payableClaims.queryOptions({ input })

export const useMakePayment = () =>
  useCommand(api.payouts.create, {
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
    success: () => ({ title: "Payment Processed", message: "Claim payment has been processed successfully" }),
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
  cancel: useCommand(api.payouts.cancel, {
    success: "Payment cancelled",
    failure: "Failed to cancel the payment",
  }),
})
