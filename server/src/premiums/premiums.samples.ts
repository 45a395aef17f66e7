import { randomUUID } from "node:crypto"
import { addDays } from "@milkwood/domain/kernel/calendar"
import type { DatedFact } from "@milkwood/domain/kernel/dated-fact"
import type { RateTable } from "@milkwood/domain/policies/rates"
import { sql } from "drizzle-orm"
import { type History, historyStart, policyStart, tiers } from "../../../domain/test/premium-histories.ts"
import type { Tx } from "../platform/database/database.ts"
import { insertRateTable } from "../policies/save-rates.ts"

const validityRange = ({ from, until }: DatedFact) => `[${from},${until === null ? "" : addDays(until, 1)})`

export async function storeHistory(owner: Tx, history: History): Promise<{ policyId: string; memberIds: string[] }> {
  const [groupId, policyId, productTypeId] = [randomUUID(), randomUUID(), randomUUID()]
  const memberIds = history.members.map(() => randomUUID())
  const at = history.instants[0]!
  const dated = <F extends DatedFact>(facts: readonly F[]) =>
    JSON.stringify(facts.map((fact) => ({ ...fact, valid: validityRange(fact) })))
  const known = sql.raw(`"recordedAt" timestamptz, "supersededAt" timestamptz`)
  await owner.run(sql`
    insert into employer_groups (id, name, created_at) values (${groupId}, ${`Employer ${groupId}`}, ${at})`)
  await owner.run(sql`
    insert into product_types (id, name, created_at) values (${productTypeId}, ${`Product ${productTypeId}`}, ${at})`)
  await owner.run(sql`
    insert into product_type_vat_rates (product_type_id, from_on, percent, class, recorded_at, superseded_at)
    select ${productTypeId}::uuid, "from", percent, class, "recordedAt", "supersededAt"
    from jsonb_to_recordset(${JSON.stringify(history.policy.vat)}::jsonb)
      as ("from" date, percent numeric, class text, ${known})`)
  await owner.run(sql`
    insert into policies (id, group_id, number, status, product_type_id, premium_cents, start_on, created_at, updated_at)
    values (${policyId}, ${groupId}, ${`GP-${policyId}`}, 'Active', ${productTypeId}, 35000, ${policyStart}, ${at}, ${at})`)
  const ratesOf = await storeRates(owner, history, { groupId, policyId, at })
  await owner.run(sql`
    insert into policy_periods (id, group_id, policy_id, kind, valid, recorded_at, superseded_at)
    select gen_random_uuid(), ${groupId}::uuid, ${policyId}::uuid, kind, valid, "recordedAt", "supersededAt"
    from jsonb_to_recordset(${dated(history.policy.periods)}::jsonb) as (kind text, valid daterange, ${known})`)
  await owner.run(sql`
    insert into policy_premiums (id, group_id, policy_id, premium_cents, rate_table_id, valid, recorded_at, superseded_at)
    select gen_random_uuid(), ${groupId}::uuid, ${policyId}::uuid, "premiumCents", "rateTableId", valid, "recordedAt", "supersededAt"
    from jsonb_to_recordset(${dated(
      history.policy.premiums.map(({ rates, ...fact }) => ({
        ...fact,
        rateTableId: rates ? ratesOf.get(rates.id) : null,
      })),
    )}::jsonb) as ("premiumCents" bigint, "rateTableId" uuid, valid daterange, ${known})`)
  await owner.run(sql`
    insert into policy_end_rules (id, group_id, policy_id, rule, valid, recorded_at, superseded_at)
    select gen_random_uuid(), ${groupId}::uuid, ${policyId}::uuid, rule, valid, "recordedAt", "supersededAt"
    from jsonb_to_recordset(${dated(history.policy.endRules)}::jsonb) as (rule text, valid daterange, ${known})`)
  await owner.run(sql`
    insert into policy_billed_from (id, group_id, policy_id, month, recorded_at, superseded_at)
    select gen_random_uuid(), ${groupId}::uuid, ${policyId}::uuid, month, "recordedAt", "supersededAt"
    from jsonb_to_recordset(${JSON.stringify(history.policy.billedFrom)}::jsonb) as (month date, ${known})`)
  await owner.run(sql`
    insert into members (id, group_id, policy_id, number, first_name, last_name, date_of_birth, tier_id, status, start_on, created_at, updated_at)
    select id, ${groupId}::uuid, ${policyId}::uuid, 'M-' || id, 'Member', 'Number ' || place, born_on,
      (select id from benefit_tiers where position = 1), 'Active', ${historyStart}::date, ${at}::timestamptz, ${at}::timestamptz
    from unnest(${sql.param(memberIds)}::uuid[], ${sql.param(history.members.map(({ births }) => births.at(-1)!.bornOn))}::date[])
      with ordinality as one (id, born_on, place)`)
  const covers = history.members.flatMap(({ covers }, place) =>
    covers.map((cover) => ({
      ...cover,
      valid: validityRange(cover),
      memberId: memberIds[place],
      position: tiers.indexOf(cover.tierId) + 1,
    })),
  )
  await owner.run(sql`
    insert into member_covers (id, group_id, policy_id, member_id, tier_id, kind, valid, recorded_at, superseded_at)
    select gen_random_uuid(), ${groupId}::uuid, ${policyId}::uuid, "memberId", t.id, kind, valid, "recordedAt", "supersededAt"
    from jsonb_to_recordset(${JSON.stringify(covers)}::jsonb)
      as ("memberId" uuid, position integer, kind text, valid daterange, ${known})
    join benefit_tiers t using (position)`)
  const ofMembers = <F extends object>(pick: (member: History["members"][number]) => readonly F[]) =>
    JSON.stringify(
      history.members.flatMap((member, place) =>
        pick(member).map((fact) => ({
          ...fact,
          memberId: memberIds[place],
          ...("from" in fact && { valid: validityRange(fact as unknown as DatedFact) }),
        })),
      ),
    )
  await owner.run(sql`
    insert into former_birth_dates (group_id, member_id, born_on, superseded_at)
    select ${groupId}::uuid, "memberId", "bornOn", "supersededAt"
    from jsonb_to_recordset(${ofMembers(({ births }) => births.slice(0, -1))}::jsonb)
      as ("memberId" uuid, "bornOn" date, "supersededAt" timestamptz)`)
  await owner.run(sql`
    insert into dependent_covers (id, group_id, member_id, dependent_id, relationship, born_on, valid, recorded_at, superseded_at)
    select gen_random_uuid(), ${groupId}::uuid, "memberId", md5("memberId" || "dependentId")::uuid, relationship, "bornOn",
      valid, "recordedAt", "supersededAt"
    from jsonb_to_recordset(${ofMembers(({ dependents }) => dependents)}::jsonb)
      as ("memberId" uuid, "dependentId" text, relationship text, "bornOn" date, valid daterange, ${known})`)
  await owner.run(sql`
    insert into member_salaries (id, group_id, member_id, monthly_cents, valid, recorded_at, superseded_at)
    select gen_random_uuid(), ${groupId}::uuid, "memberId", "monthlyCents", valid, "recordedAt", "supersededAt"
    from jsonb_to_recordset(${ofMembers(({ salaries }) => salaries)}::jsonb)
      as ("memberId" uuid, "monthlyCents" bigint, valid daterange, ${known})`)
  return { policyId, memberIds }
}

export function withTiers({ ageOn, sumAssured, rows }: RateTable, tierIds: readonly string[]): RateTable {
  const tierOf = <T extends string | null>(name: T) => (name === null ? null : tierIds[tiers.indexOf(name)]!) as T
  return {
    ageOn,
    rows: rows.map((row) => ({ ...row, tierId: tierOf(row.tierId) })),
    sumAssured:
      sumAssured?.kind === "tier"
        ? { ...sumAssured, sums: sumAssured.sums.map((sum) => ({ ...sum, tierId: tierOf(sum.tierId) })) }
        : sumAssured,
  }
}

async function storeRates(
  owner: Tx,
  { policy: { premiums } }: History,
  of: { groupId: string; policyId: string; at: string },
): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  const stored = await owner.rows<{ id: string }>(sql`select id from benefit_tiers order by position`)
  for (const { rates } of premiums) {
    if (!rates || ids.has(rates.id)) continue
    const { id } = rates
    const table = withTiers(
      rates,
      stored.map(({ id }) => id),
    )
    const now = Temporal.Instant.from(of.at)
    ids.set(id, await insertRateTable({ tx: owner, now }, { id: of.policyId, groupId: of.groupId }, table))
  }
  return ids
}
