import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import type {
  BilledFromFact,
  BirthFact,
  CoverFact,
  DependentFact,
  EndRuleFact,
  MemberFacts,
  PeriodFact,
  PolicyFacts,
  PremiumFact,
  SalaryFact,
  VatFact,
} from "@milkwood/domain/premiums/premium-facts"
import { type SQL, sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"
import { rateTables } from "../policies/rates.queries.ts"

type Stored<F> = F & { of: string; to?: Day | null }

const recorded = sql.raw(`recorded_at as "recordedAt", superseded_at as "supersededAt"`)
const days = sql.raw(`lower(valid) as "from", upper(valid) as "to"`)

/** Reads facts of many into lists by whom they are of; `to` is the first day on which a fact no longer holds. */
async function factsBy<F>(tx: Tx, query: SQL): Promise<Map<string, F[]>> {
  const found = new Map<string, F[]>()
  for (const { of, to, ...fact } of await tx.rows<Stored<F>>(query)) {
    const list = found.get(of) ?? []
    list.push((to === undefined ? fact : { ...fact, until: to === null ? null : addDays(to, -1) }) as F)
    found.set(of, list)
  }
  return found
}

/** All that was ever recorded of what the premiums of policies rest on, by policy. */
export async function policyFacts(tx: Tx, policyIds: readonly string[]): Promise<Map<string, PolicyFacts>> {
  const ids = sql.param([...policyIds])
  const of = (columns: SQL, table: string) =>
    sql`select policy_id as of, ${columns}, ${recorded} from ${sql.raw(table)} where policy_id = any (${ids}::uuid[])`
  const periods = await factsBy<PeriodFact>(tx, of(sql`kind, ${days}`, "policy_periods"))
  const dated = await factsBy<PremiumFact & { rateTableId: string | null }>(
    tx,
    of(sql`premium_cents as "premiumCents", rate_table_id as "rateTableId", ${days}`, "policy_premiums"),
  )
  const tables = await rateTables(
    tx,
    [...dated.values()].flatMap((all) => all.flatMap(({ rateTableId }) => rateTableId ?? [])),
  )
  const starts = new Map(
    tables.size === 0
      ? []
      : (
          await tx.rows<{ id: string; startOn: Day | null }>(
            sql`select id, start_on as "startOn" from policies where id = any (${ids}::uuid[])`,
          )
        ).map(({ id, startOn }) => [id, startOn]),
  )
  const endRules = await factsBy<EndRuleFact>(tx, of(sql`rule, ${days}`, "policy_end_rules"))
  const billedFrom = await factsBy<BilledFromFact>(tx, of(sql`month`, "policy_billed_from"))
  const vat = await factsBy<VatFact>(
    tx,
    sql`select p.id as of, v.class, v.percent::float8 as percent, v.from_on as "from", v.recorded_at as "recordedAt",
      v.superseded_at as "supersededAt"
    from policies p join product_type_vat_rates v on v.product_type_id = p.product_type_id
    where p.id = any (${ids}::uuid[])`,
  )
  return new Map(
    policyIds.map((id) => [
      id,
      {
        periods: periods.get(id) ?? [],
        premiums: (dated.get(id) ?? []).map(({ rateTableId, ...fact }) =>
          rateTableId === null ? fact : { ...fact, rates: tables.get(rateTableId)! },
        ),
        endRules: endRules.get(id) ?? [],
        billedFrom: billedFrom.get(id) ?? [],
        vat: vat.get(id) ?? [],
        startOn: starts.get(id) ?? null,
      },
    ]),
  )
}

/**
 * All that was ever recorded of what the premiums of members rest on, by member. What rate tables read is asked only where
 * a policy of theirs has had one, or where `rated` says so.
 */
export async function memberFacts(
  tx: Tx,
  memberIds: readonly string[],
  rated?: boolean,
): Promise<Map<string, MemberFacts>> {
  const theirs = sql`member_id = any (${sql.param([...memberIds])}::uuid[])`
  const covers = await factsBy<CoverFact>(
    tx,
    sql`select member_id as of, kind, tier_id as "tierId", ${days}, ${recorded} from member_covers where ${theirs}`,
  )
  const found = new Map<string, MemberFacts>(memberIds.map((id) => [id, { covers: covers.get(id) ?? [] }]))
  if (!(rated ?? (await haveRates(tx, memberIds)))) return found

  const births = await factsBy<BirthFact>(
    tx,
    // Each was known from when the one before it was put right, the first from the member's entry on.
    sql`select of, "bornOn", coalesce(lag(until) over (partition by of order by until nulls last, id), created_at) as "recordedAt",
        until as "supersededAt"
      from (
        select m.id as of, m.created_at, b.id, b.born_on as "bornOn", b.superseded_at as until
        from member_births_before b join members m on m.id = b.member_id where ${theirs}
        union all
        select id, created_at, null, date_of_birth, null from members where id = any (${sql.param([...memberIds])}::uuid[])
      ) each`,
  )
  const dependents = await factsBy<DependentFact>(
    tx,
    sql`select member_id as of, dependent_id as "dependentId", relationship, born_on as "bornOn", ${days}, ${recorded}
      from dependent_covers where ${theirs}`,
  )
  const salaries = await factsBy<SalaryFact>(
    tx,
    sql`select member_id as of, monthly_cents as "monthlyCents", ${days}, ${recorded} from member_salaries where ${theirs}`,
  )
  for (const [id, facts] of found)
    found.set(id, {
      ...facts,
      births: births.get(id) ?? [],
      dependents: dependents.get(id) ?? [],
      salaries: salaries.get(id) ?? [],
    })
  return found
}

async function haveRates(tx: Tx, memberIds: readonly string[]): Promise<boolean> {
  const row = await tx.row<{ have: boolean }>(sql`
    select exists (select from policy_premiums where rate_table_id is not null and policy_id in (
      select policy_id from members where id = any (${sql.param([...memberIds])}::uuid[]))) as have`)
  return row!.have
}
