import { randomUUID } from "node:crypto"
import type { contract } from "@milkwood/domain/contract"
import type { Payee } from "@milkwood/domain/payouts/payout-shape"
import type { PayoutDetail } from "@milkwood/domain/payouts/payouts.contract"
import type { ContractRouterClient } from "@orpc/contract"

type Client = Pick<ContractRouterClient<typeof contract>, "payouts" | "claims">

export const samplePayee = {
  method: "bank_transfer",
  payeeName: "S Dlamini",
  payeeBank: "FNB",
  payeeBranchCode: "250655",
  payeeAccountNumber: "62001234567",
} as const

export type SamplePayee = Omit<Payee, "payeeEmail">

export function createPayout(maker: Client, claimId: string, payee: SamplePayee = samplePayee): Promise<PayoutDetail> {
  return maker.claims.pay({ idempotencyKey: randomUUID(), claimId, reference: "", notes: "", ...payee })
}

export async function createReleasedPayout(
  maker: Client,
  releaser: Client,
  claimId: string,
  payee?: SamplePayee,
): Promise<PayoutDetail> {
  const { id, version } = await createPayout(maker, claimId, payee)
  return releaser.payouts.release({ payoutId: id, version, idempotencyKey: randomUUID() })
}

export async function createCompletedPayout(
  maker: Client,
  releaser: Client,
  claimId: string,
  completedOn: string,
  payee?: SamplePayee,
): Promise<PayoutDetail> {
  const { id, version } = await createReleasedPayout(maker, releaser, claimId, payee)
  return releaser.payouts.complete({ payoutId: id, version, idempotencyKey: randomUUID(), completedOn })
}

export async function releasePayout(releaser: Client, payoutId: string): Promise<PayoutDetail> {
  const { version } = await releaser.payouts.detail({ payoutId })
  return releaser.payouts.release({ payoutId, version, idempotencyKey: randomUUID() })
}

export async function completePayout(releaser: Client, payoutId: string, completedOn: string): Promise<PayoutDetail> {
  const released = await releasePayout(releaser, payoutId)
  const step = { payoutId, version: released.version, idempotencyKey: randomUUID() }
  return releaser.payouts.complete({ ...step, completedOn })
}
