import type { Day } from "@milkwood/domain/kernel/calendar"
import { policiesContract } from "@milkwood/domain/policies/policies.contract"
import type { RateTable } from "@milkwood/domain/policies/rates"
import { type SQL, sql } from "drizzle-orm"
import { query } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { readPolicy } from "./policies.queries.ts"

export type StoredRateTable = RateTable & { id: string }

export async function readRateTables(tx: Tx, ids: readonly string[]): Promise<Map<string, StoredRateTable>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.rows<StoredRateTable>(sql`
    select t.id, t.age_on as "ageOn",
      case t.sum_kind
        when 'fixed' then jsonb_build_object('kind', 'fixed', 'cents', t.sum_cents)
        when 'salary' then jsonb_build_object('kind', 'salary', 'multiple', t.salary_multiple)
        when 'tier' then jsonb_build_object('kind', 'tier', 'sums', coalesce((
          select jsonb_agg(jsonb_build_object('tierId', s.tier_id, 'cents', s.cents) order by b.position)
          from rate_sums s join benefit_tiers b on b.id = s.tier_id where s.rate_table_id = t.id), '[]'))
      end as "sumAssured",
      (select jsonb_agg(jsonb_build_object('person', r.person, 'tierId', r.tier_id, 'ageFrom', lower(r.ages),
          'ageUntil', upper(r.ages) - 1, 'cents', r.cents, 'perMille', r.per_mille) order by r.position)
        from rate_rows r where r.rate_table_id = t.id) as rows
    from rate_tables t where t.id = any (${sql.param([...new Set(ids)])}::uuid[])`)
  return new Map(rows.map((table) => [table.id, table]))
}

/** Rates of today and of later days; for a draft, its own. */
export const ratesOfPolicy = query(policiesContract.rates, async ({ tx, input, today }) => {
  const policy = await readPolicy(tx, input.policyId)
  const dated =
    policy.status === "Draft"
      ? policy.rateTableId
        ? [{ id: policy.rateTableId, fromOn: null }]
        : []
      : await tx.rows<{ id: string; fromOn: Day }>(sql`
          select rate_table_id as id, lower(valid) as "fromOn" from policy_premiums
          where policy_id = ${policy.id} and superseded_at is null and rate_table_id is not null
            and (upper_inf(valid) or upper(valid) > ${today}::date)
          order by valid`)
  const tables = await readRateTables(
    tx,
    dated.map(({ id }) => id),
  )
  return {
    tables: dated.map(({ id, fromOn }) => {
      const { id: _, ...table } = tables.get(id)!
      return { fromOn, table }
    }),
  }
})

/** Policies whose rates use a tier, which therefore cannot be deleted. */
export const ratesWithTier = (tierId: string): SQL => sql`
  select distinct p.number as label from rate_tables t join policies p on p.id = t.policy_id
  where exists (select from rate_rows r where r.rate_table_id = t.id and r.tier_id = ${tierId})
    or exists (select from rate_sums s where s.rate_table_id = t.id and s.tier_id = ${tierId})`

export async function hasRatesOn(tx: Tx, policyId: string, on: Day): Promise<boolean> {
  const row = await tx.row(sql`
    select id from policy_premiums
    where policy_id = ${policyId} and superseded_at is null and rate_table_id is not null and valid @> ${on}::date`)
  return row !== undefined
}

/** True if rates from that day on use a sum assured that follows the salary. */
export const hasSalaryRates = (policyId: SQL, from: Day): SQL => sql`
  exists (select from rate_tables t where t.policy_id = ${policyId} and t.sum_kind = 'salary' and (
    exists (select from policies own where own.rate_table_id = t.id)
    or exists (select from policy_premiums pp where pp.rate_table_id = t.id and pp.superseded_at is null
      and not pp.valid << daterange(${from}::date, null))))`

export async function readWasRated(tx: Tx, policyId: string): Promise<boolean> {
  const row = await tx.preparedRow<{ rated: boolean }>(sql`select ${wasRated(sql`${policyId}`)} as rated`)
  return row!.rated
}

export const wasRated = (policyId: SQL): SQL =>
  sql`exists (select from policy_premiums where policy_id = ${policyId} and rate_table_id is not null)`
