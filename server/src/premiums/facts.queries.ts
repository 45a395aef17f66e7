import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import type {
  BirthFact,
  CoverFact,
  DependentFact,
  MemberFacts,
  SalaryFact,
} from "@milkwood/domain/members/member-dated-facts"
import type { PolicyFacts, PremiumFact } from "@milkwood/domain/premiums/premium-facts"
import { type SQL, sql } from "drizzle-orm"
import { toIsoInstant } from "../platform/database/columns.ts"
import type { Tx } from "../platform/database/database.ts"
import { readRateTables } from "../policies/rates.queries.ts"

type StoredFact<F> = F & { of: string; to?: Day | null }

const recordedColumns = sql.raw(`recorded_at as "recordedAt", superseded_at as "supersededAt"`)
const validityColumns = sql.raw(`lower(valid) as "from", upper(valid) as "to"`)

function groupByOwner<F>(rows: readonly { of: string; to?: Day | null }[]): Map<string, F[]> {
  const found = new Map<string, F[]>()
  for (const { of, to, ...fact } of rows) {
    const list = found.get(of) ?? []
    list.push((to === undefined ? fact : { ...fact, until: to === null ? null : addDays(to, -1) }) as F)
    found.set(of, list)
  }
  return found
}

const readFactsByOwner = async <F>(tx: Tx, query: SQL): Promise<Map<string, F[]>> =>
  groupByOwner<F>(await tx.rows<StoredFact<F>>(query))

type StoredInterval = {
  of: string
  from?: Day | null
  to?: Day | null
  recordedAt: string
  supersededAt: string | null
}
type PolicyPart = "periods" | "premiums" | "endRules" | "billedFrom" | "vat"

const policyPartSources: Record<PolicyPart, { from: string; facts: string; isDated?: true }> = {
  periods: { from: "policy_periods f", facts: "'kind', f.kind", isDated: true },
  premiums: {
    from: "policy_premiums f",
    facts: "'premiumCents', f.premium_cents, 'rateTableId', f.rate_table_id",
    isDated: true,
  },
  endRules: { from: "policy_end_rules f", facts: "'rule', f.rule", isDated: true },
  billedFrom: { from: "policy_billed_from f", facts: "'month', f.month" },
  vat: {
    from: "policies p join product_type_vat_rates f on f.product_type_id = p.product_type_id",
    facts: "'class', f.class, 'percent', f.percent, 'from', f.from_on",
  },
}

async function readPolicyParts(
  tx: Tx,
  policyIds: readonly string[],
): Promise<Record<PolicyPart, Map<string, never[]>>> {
  const ids = sql.param([...policyIds])
  const parts = Object.entries(policyPartSources).map(([part, { from, facts, isDated }]) => {
    const id = sql.raw(part === "vat" ? "p.id" : "f.policy_id")
    const days = sql.raw(isDated ? ", 'from', lower(f.valid), 'to', upper(f.valid)" : "")
    return sql`
      select ${sql.raw(`'${part}'`)} as part, json_agg(json_build_object('of', ${id}, ${sql.raw(facts)}${days},
        'recordedAt', f.recorded_at, 'supersededAt', f.superseded_at)) as facts
      from ${sql.raw(from)} where ${id} = any (${ids}::uuid[])`
  })
  const rows = await tx.rows<{ part: PolicyPart; facts: StoredInterval[] | null }>(sql.join(parts, sql` union all `))
  const found = {} as Record<PolicyPart, Map<string, never[]>>
  for (const { part, facts } of rows)
    found[part] = groupByOwner(
      (facts ?? []).map((fact) => ({
        ...fact,
        recordedAt: toIsoInstant(fact.recordedAt),
        supersededAt: fact.supersededAt && toIsoInstant(fact.supersededAt),
      })),
    )
  return found
}

/** All recorded facts behind the premiums, by policy. */
export async function readPolicyFacts(tx: Tx, policyIds: readonly string[]): Promise<Map<string, PolicyFacts>> {
  const parts = await readPolicyParts(tx, policyIds)
  const dated: Map<string, (PremiumFact & { rateTableId: string | null })[]> = parts.premiums
  const tables = await readRateTables(
    tx,
    [...dated.values()].flatMap((all) => all.flatMap(({ rateTableId }) => rateTableId ?? [])),
  )
  const starts = new Map(
    tables.size === 0
      ? []
      : (
          await tx.rows<{ id: string; startOn: Day | null }>(
            sql`select id, start_on as "startOn" from policies where id = any (${sql.param([...policyIds])}::uuid[])`,
          )
        ).map(({ id, startOn }) => [id, startOn]),
  )
  return new Map(
    policyIds.map((id) => [
      id,
      {
        periods: parts.periods.get(id) ?? [],
        premiums: (dated.get(id) ?? []).map(({ rateTableId, ...fact }) =>
          rateTableId === null ? fact : { ...fact, rates: tables.get(rateTableId)! },
        ),
        endRules: parts.endRules.get(id) ?? [],
        billedFrom: parts.billedFrom.get(id) ?? [],
        vat: parts.vat.get(id) ?? [],
        startOn: starts.get(id) ?? null,
      },
    ]),
  )
}

/**
 * All recorded facts behind the premiums, by member. Rate-table facts are read only if a policy of theirs ever had
 * rates, or with `rated`.
 */
export async function readMemberFacts(
  tx: Tx,
  memberIds: readonly string[],
  rated?: boolean,
): Promise<Map<string, MemberFacts>> {
  const theirs = sql`member_id = any (${sql.param([...memberIds])}::uuid[])`
  const covers = await readFactsByOwner<CoverFact>(
    tx,
    sql`select member_id as of, kind, tier_id as "tierId", sets_kind as "setsKind", sets_tier as "setsTier", ${validityColumns}, ${recordedColumns}
      from member_covers where ${theirs}`,
  )
  const found = new Map<string, MemberFacts>(memberIds.map((id) => [id, { covers: covers.get(id) ?? [] }]))
  if (!(rated ?? (await haveRatedPolicies(tx, memberIds)))) return found

  const births = await readFactsByOwner<BirthFact>(
    tx,
    // A corrected date of birth was known from the previous correction, and the first from the member's creation.
    sql`select of, "bornOn", coalesce(lag(until) over (partition by of order by until nulls last, id), created_at) as "recordedAt",
        until as "supersededAt"
      from (
        select m.id as of, m.created_at, b.id, b.born_on as "bornOn", b.superseded_at as until
        from former_birth_dates b join members m on m.id = b.member_id where ${theirs}
        union all
        select id, created_at, null, date_of_birth, null from members where id = any (${sql.param([...memberIds])}::uuid[])
      ) each`,
  )
  const dependents = await readFactsByOwner<DependentFact>(
    tx,
    sql`select member_id as of, dependent_id as "dependentId", relationship, born_on as "bornOn", ${validityColumns}, ${recordedColumns}
      from dependent_covers where ${theirs}`,
  )
  const salaries = await readFactsByOwner<SalaryFact>(
    tx,
    sql`select member_id as of, monthly_cents as "monthlyCents", ${validityColumns}, ${recordedColumns} from member_salaries where ${theirs}`,
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

async function haveRatedPolicies(tx: Tx, memberIds: readonly string[]): Promise<boolean> {
  const row = await tx.row<{ have: boolean }>(sql`
    select exists (select from policy_premiums where rate_table_id is not null and policy_id in (
      select policy_id from members where id = any (${sql.param([...memberIds])}::uuid[]))) as have`)
  return row!.have
}
