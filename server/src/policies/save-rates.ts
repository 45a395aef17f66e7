import { randomUUID } from "node:crypto"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { policiesContract } from "@milkwood/domain/policies/policies.contract"
import { changeRates } from "@milkwood/domain/policies/policy-edit"
import { describeRateTable, type RateTable } from "@milkwood/domain/policies/rates"
import { eq, sql } from "drizzle-orm"
import { type Cx, command, invalidInput, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { notifyScreens } from "../platform/work/live.ts"
import { readPolicyDetail } from "./policies.queries.ts"
import { rateRows, rateSums, rateTables } from "./policies.tables.ts"
import { refreshCurrentPremiums, setPremium } from "./policy-periods.ts"
import { lockPolicy, savePolicy } from "./policy-record.ts"
import { readRateTables as storedTables } from "./rates.queries.ts"

export const saveRates = command(policiesContract.saveRates, async (cx) => {
  const { tx, today, input } = cx
  const policy = await lockPolicy(tx, input.policyId)
  expectVersion(policy, input.version)
  const tiers = await tx.rows<{ id: string; name: string }>(sql`select id, name from benefit_tiers`)
  const named = new Map(tiers.map(({ id, name }) => [id, name]))
  refuseOtherTiers(input.rates, named)
  const before = policy.rateTableId ? (await storedTables(tx, [policy.rateTableId])).get(policy.rateTableId) : null
  const said = (table: RateTable | null | undefined) =>
    table
      ? describeRateTable(table, (id) => named.get(id)!, cx.currency)
      : [`premium ${formatMoney(policy.premiumCents, cx.currency)}`]

  const table = input.rates && (await insertRateTable(cx, policy, input.rates))
  const words = { before: said(before), after: said(input.rates) }
  const { dated, ...saved } = orRefuse(changeRates(policy, table, { ...input, words, today }))
  await savePolicy(cx, policy, saved)
  if (dated) {
    await setPremium(cx, policy, { premiumCents: 0, rateTableId: table }, dated.from, input.laterChanges)
    await refreshCurrentPremiums(cx, policy.id)
  } else {
    // A draft's former rate table can be deleted, because no dated premium refers to it.
    if (policy.rateTableId) await tx.delete(rateTables).where(eq(rateTables.id, policy.rateTableId))
    await notifyScreens(tx, { kind: "policy", id: policy.id, groupId: policy.groupId })
  }
  return readPolicyDetail(cx, policy.id)
})

function refuseOtherTiers(rates: RateTable | null, tiers: ReadonlyMap<string, string>): void {
  if (!rates) return
  const wrong = rates.rows.findIndex(({ tierId }) => tierId !== null && !tiers.has(tierId))
  if (wrong >= 0) throw invalidInput([{ path: `rates.rows.${wrong}`, message: "This benefit tier does not exist" }])
  const sums = rates.sumAssured?.kind === "tier" ? rates.sumAssured.sums : []
  if (sums.some(({ tierId }) => !tiers.has(tierId)))
    throw invalidInput([{ path: "rates.sumAssured", message: "This benefit tier does not exist" }])
}

export async function insertRateTable(
  { tx, now }: Pick<Cx, "tx" | "now">,
  policy: { id: string; groupId: string },
  { ageOn, sumAssured, rows }: RateTable,
): Promise<string> {
  const [id, { groupId }] = [randomUUID(), policy]
  await tx.insert(rateTables).values({
    ...{ id, groupId, policyId: policy.id, ageOn, createdAt: now },
    sumKind: sumAssured?.kind ?? null,
    sumCents: sumAssured?.kind === "fixed" ? sumAssured.cents : null,
    salaryMultiple: sumAssured?.kind === "salary" ? sumAssured.multiple : null,
  })
  if (sumAssured?.kind === "tier" && sumAssured.sums.length > 0) {
    await tx.insert(rateSums).values(sumAssured.sums.map((sum) => ({ ...sum, rateTableId: id, groupId })))
  }
  await tx.insert(rateRows).values(
    rows.map(({ ageFrom, ageUntil, ...row }, position) => ({
      ...{ ...row, rateTableId: id, groupId, position },
      ages:
        ageFrom === null && ageUntil === null ? null : `[${ageFrom ?? ""},${ageUntil === null ? "" : ageUntil + 1})`,
    })),
  )
  return id
}
