import { randomUUID } from "node:crypto"
import { accountHolderOf } from "@milkwood/domain/claims/claim-payees"
import type { SamplePayee } from "../payouts/payouts.samples.ts"
import type { DemoScheme, DemoStage } from "./play.ts"

const payeeAccounts = [
  { payeeBank: "FNB", payeeBranchCode: "250655", begins: "627", digits: 11 },
  { payeeBank: "Capitec Bank", payeeBranchCode: "470010", begins: "14", digits: 10 },
  { payeeBank: "Absa", payeeBranchCode: "632005", begins: "40", digits: 10 },
  { payeeBank: "Nedbank", payeeBranchCode: "198765", begins: "11", digits: 10 },
]

/** A payee always has the same account. */
export function choosePayee(
  { chance, payees }: DemoStage,
  { policyId }: Pick<DemoScheme, "policyId">,
  payeeName: string,
): SamplePayee {
  const key = `${policyId} ${payeeName}`
  const known = payees.get(key)
  if (known) return known
  const { begins, digits, ...at } = chance.pick(payeeAccounts)
  const length = digits - begins.length
  const payeeAccountNumber = begins + String(chance.between(0, 10 ** length - 1)).padStart(length, "0")
  const payee = { method: "bank_transfer", payeeName, payeeAccountNumber, ...at } as const
  payees.set(key, payee)
  return payee
}

/** Records the proposed payees of a death claim and prepares their payments. Returns the payments' ids. */
export async function prepareDeathPayments(stage: DemoStage, scheme: DemoScheme, claimId: string): Promise<string[]> {
  const { claims } = stage.as(stage.manager)
  const { proposal } = await claims.payees.detail({ claimId })
  await claims.payees.record({
    ...{ claimId, replaces: null, ...proposal },
    payees: proposal.payees.map((proposed) => {
      const payee = proposed.receivedBy === "guardian" ? { ...proposed, receiverName: "Thandeka Radebe" } : proposed
      if (payee.accountNumber !== "") return payee
      const { payeeBank, payeeBranchCode, payeeAccountNumber } = choosePayee(stage, scheme, accountHolderOf(payee))
      return { ...payee, bank: payeeBank, branchCode: payeeBranchCode, accountNumber: payeeAccountNumber }
    }),
  })
  const { payments } = await claims.payees.pay({ idempotencyKey: randomUUID(), claimIds: [claimId] })
  return payments.map(({ id }) => id)
}
