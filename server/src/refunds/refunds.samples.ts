import { randomUUID } from "node:crypto"
import type { contract } from "@milkwood/domain/contract"
import type { RefundForm } from "@milkwood/domain/refunds/refund-shape"
import type { RefundDetail } from "@milkwood/domain/refunds/refunds.contract"
import type { ContractRouterClient } from "@orpc/contract"

type Client = Pick<ContractRouterClient<typeof contract>, "refunds" | "payouts">

export const createRefundForm = (
  form: Pick<RefundForm, "policyId" | "amountCents"> & Partial<RefundForm>,
): RefundForm => ({
  memberId: null,
  method: "bank_transfer",
  reason: "overpayment",
  periodFromOn: null,
  periodToOn: null,
  reference: "",
  notes: "",
  payeeName: "Sunrise Bakery",
  payeeBank: "FNB",
  payeeBranchCode: "250655",
  payeeAccountNumber: "62001234567",
  ...form,
})

export const createRefund = (
  maker: Client,
  form: Parameters<typeof createRefundForm>[0],
  correctionCents = 0,
): Promise<RefundDetail> =>
  maker.refunds.process({ ...createRefundForm(form), correctionCents, idempotencyKey: randomUUID() })

type RefundStep = "release" | "complete" | "fail" | "cancel" | "retry" | "return"

export async function stepRefund(
  by: Client,
  refundId: string,
  step: RefundStep,
  on = "2026-11-02",
): Promise<RefundDetail> {
  const { payoutId } = await by.refunds.detail({ refundId })
  const { version } = await by.payouts.detail({ payoutId: payoutId! })
  const input = { payoutId: payoutId!, version, idempotencyKey: randomUUID() }
  const reason = "The account is closed"
  if (step === "complete") await by.payouts.complete({ ...input, completedOn: on })
  else if (step === "return") await by.payouts.return({ ...input, returnedOn: on, reason })
  else if (step === "fail" || step === "cancel") await by.payouts[step]({ ...input, reason })
  else await by.payouts[step](input)
  return by.refunds.detail({ refundId })
}
