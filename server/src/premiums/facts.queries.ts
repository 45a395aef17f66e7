import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import type {
  BilledFromFact,
  CoverFact,
  EndRuleFact,
  MemberFacts,
  PeriodFact,
  PolicyFacts,
  PremiumFact,
  VatFact,
} from "@milkwood/domain/premiums/premium-facts"
import { type SQL, sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"

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
  const premiums = await factsBy<PremiumFact>(tx, of(sql`premium_cents as "premiumCents", ${days}`, "policy_premiums"))
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
        premiums: premiums.get(id) ?? [],
        endRules: endRules.get(id) ?? [],
        billedFrom: billedFrom.get(id) ?? [],
        vat: vat.get(id) ?? [],
      },
    ]),
  )
}

/** All that was ever recorded of what the premiums of members rest on, by member. */
export async function memberFacts(tx: Tx, memberIds: readonly string[]): Promise<Map<string, MemberFacts>> {
  const covers = await factsBy<CoverFact>(
    tx,
    sql`select member_id as of, kind, tier_id as "tierId", ${days}, ${recorded} from member_covers
      where member_id = any (${sql.param([...memberIds])}::uuid[])`,
  )
  return new Map(memberIds.map((id) => [id, { covers: covers.get(id) ?? [] }]))
}
