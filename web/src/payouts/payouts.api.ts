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

/** A payment changes its claim, the ledger, and the figures that are made of them. */
const refreshes = [api.payouts.key(), api.claims.key(), api.ledger.key(), api.reports.key()]

export const useMakePayment = () =>
  useCommand(api.payouts.create, {
    refreshes,
    success: () => ({ title: "Payment made", message: "It waits to be released." }),
    failure: "Failed to make the payment",
  })

export const usePayoutCommands = () => ({
  changePayee: useCommand(api.payouts.changePayee, {
    refreshes,
    success: "Payee changed",
    failure: "Failed to change the payee",
  }),
  release: useCommand(api.payouts.release, {
    refreshes,
    success: "Payment released",
    failure: "Failed to release the payment",
  }),
  complete: useCommand(api.payouts.complete, {
    refreshes,
    success: () => ({ title: "Payment Processed", message: "Claim payment has been processed successfully" }),
    failure: "Failed to complete the payment",
  }),
  fail: useCommand(api.payouts.fail, {
    refreshes,
    success: "Payment marked as failed",
    failure: "Failed to mark the payment as failed",
  }),
  retry: useCommand(api.payouts.retry, {
    refreshes,
    success: "Payment is up for release again",
    failure: "Failed to retry the payment",
  }),
  cancel: useCommand(api.payouts.cancel, {
    refreshes,
    success: "Payment cancelled",
    failure: "Failed to cancel the payment",
  }),
})
