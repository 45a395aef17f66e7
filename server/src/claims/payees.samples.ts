import { randomUUID } from "node:crypto"
import type { ClaimPayees } from "@milkwood/domain/claims/payees.contract"
import type { contract } from "@milkwood/domain/contract"
import type { ContractRouterClient } from "@orpc/contract"
import { sampleNominee } from "../members/nominations.samples.ts"
import { completePayout } from "../payouts/payouts.samples.ts"

type Client = Pick<ContractRouterClient<typeof contract>, "claims" | "members" | "payouts">

const sampleAccount = { bank: "FNB", branchCode: "250655", accountNumber: "62001234567" }

/** A spouse with 60 %, and a child under 18 with 40 %. */
export const sampleHeirs = [
  sampleNominee({ shareBasisPoints: 6_000 }),
  sampleNominee({
    ...{ name: "Ben Nkosi", relationship: "child", dateOfBirth: "2015-03-02", shareBasisPoints: 4_000 },
    accountNumber: "62007654321",
  }),
]

export const nominateHeirs = (client: Client, memberId: string, fromOn = "2026-02-01") =>
  client.members.nominations.record({ memberId, fromOn, nominees: sampleHeirs })

/** Records the proposed payees; a minor is paid through a guardian. `account`: for payees without one. */
export async function recordProposedPayees(
  client: Client,
  claimId: string,
  account: Partial<typeof sampleAccount> = {},
): Promise<ClaimPayees> {
  const { proposal, current } = await client.claims.payees.detail({ claimId })
  return client.claims.payees.record({
    ...{ claimId, replaces: current?.id ?? null, ...proposal },
    payees: proposal.payees.map((payee) => ({
      ...payee,
      ...(payee.receivedBy === "guardian" && { receiverName: "Cleo Nkosi" }),
      ...(payee.accountNumber === "" && account),
    })),
  })
}

/** Pays the proposed payees of a death claim. */
export async function payDeath(maker: Client, releaser: Client, claimId: string, completedOn: string): Promise<void> {
  await recordProposedPayees(maker, claimId, sampleAccount)
  const { payments } = await maker.claims.payees.pay({ idempotencyKey: randomUUID(), claimIds: [claimId] })
  for (const { id } of payments) await completePayout(releaser, id, completedOn)
}
