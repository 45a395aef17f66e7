import type { ListInput } from "@milkwood/domain/kernel/list"
import type { batchesList } from "@milkwood/domain/payouts/batches.list"
import type { payoutsList } from "@milkwood/domain/payouts/payouts.list"
import { api } from "../platform/api.ts"
import { useCommand } from "../ui/use-command.ts"

/** Refunds have a separate page. */
export const payoutsQuery = (input: Partial<ListInput<typeof payoutsList>>) =>
  api.payouts.list.queryOptions({ input: { ...input, paidFor: "claims" } })
export const payoutQuery = (payoutId: string) => api.payouts.detail.queryOptions({ input: { payoutId } })
export const payableClaimsQuery = (input: { search?: string; claimId?: string }) =>
  api.claims.payable.queryOptions({ input })

export const useCreatePayment = () =>
  useCommand(api.claims.pay, {
    success: () => ({ title: "Payment prepared", message: "It is waiting for release." }),
    failure: "Failed to prepare the payment",
  })

export const claimPayeesQuery = (claimId: string) => api.claims.payees.detail.queryOptions({ input: { claimId } })

/** The dialog shows the claims that were left out. */
export const usePreparePayments = () =>
  useCommand(api.claims.payees.pay, {
    success: ({ payments, batch }) => {
      const count = payments.length === 1 ? "1 payment" : `${payments.length} payments`
      return batch ? `${batch.number} created with ${count}` : `${count} prepared`
    },
    failure: "Failed to prepare the payments",
  })

export const usePayoutCommands = () => ({
  changePayee: useCommand(api.payouts.changePayee, {
    success: "Payee changed",
    failure: "Failed to change the payee",
  }),
  confirmPayee: useCommand(api.payouts.confirmPayee, {
    success: "Payee confirmed",
    failure: "Failed to confirm the payee",
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
    success: "Payment is waiting for release again",
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

export const batchesQuery = (input: Partial<ListInput<typeof batchesList>>) =>
  api.payouts.batches.list.queryOptions({ input })
export const batchQuery = (batchId: string) => api.payouts.batches.detail.queryOptions({ input: { batchId } })
export const batchChoicesQuery = () => api.payouts.batches.choices.queryOptions({})

export const useBatchCommands = () => ({
  make: useCommand(api.payouts.batches.make, {
    success: ({ number, paymentCount }) =>
      `${number} created with ${paymentCount} ${paymentCount === 1 ? "payment" : "payments"}`,
    failure: "Failed to create the batch",
  }),
  edit: useCommand(api.payouts.batches.edit, { success: "Batch saved", failure: "Failed to save the batch" }),
  add: useCommand(api.payouts.batches.add, { success: "Payments added", failure: "Failed to add payments" }),
  takeOut: useCommand(api.payouts.batches.takeOut, {
    success: "Removed from the batch",
    failure: "Failed to remove the payment from the batch",
  }),
  release: useCommand(api.payouts.batches.release, {
    success: "Batch released; its payment file is being created",
    failure: "Failed to release the batch",
  }),
  cancel: useCommand(api.payouts.batches.cancel, { success: "Batch cancelled", failure: "Failed to cancel the batch" }),
  export: useCommand(api.payouts.batches.export, {
    success: "Payment file exported",
    failure: "Failed to export the payment file",
  }),
  withdraw: useCommand(api.payouts.batches.withdraw, {
    success: "Payment file withdrawn",
    failure: "Failed to withdraw the payment file",
  }),
  replace: useCommand(api.payouts.batches.replace, {
    success: "New payment file is being created",
    failure: "Failed to replace the payment file",
  }),
})

export const lastPayeeQuery = (input: { policyId: string; memberId: string; claimId: string }) =>
  api.payouts.lastPayee.queryOptions({ input })
