import { randomUUID } from "node:crypto"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import type { LaterChanges } from "@milkwood/domain/kernel/timeline"
import type { CoverTermChange } from "@milkwood/domain/policies/cover-terms"
import type { EndRule } from "@milkwood/domain/policies/end-rule"
import { policyRange } from "@milkwood/domain/policies/policy-rules"
import { type SQL, sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { policyBilledFrom, policyCoverTerms, policyPeriods, policyPremiums } from "./policies.tables.ts"

type RecordingCx = Pick<Cx, "tx" | "now">
interface PolicyRef {
  id: string
  groupId: string
}

/** Inserts the dated rows of an activated policy from its first day. */
export async function openDatedFacts(
  { tx, now }: RecordingCx,
  policy: PolicyRef & {
    premiumCents: Cents
    rateTableId: string | null
    productTypeId: string | null
    sumAssuredCents: Cents | null
    waitingPeriodMonths: number
    owningFund: string
    startOn: Day
    endOn: Day | null
  },
): Promise<void> {
  const fact = { groupId: policy.groupId, policyId: policy.id, recordedAt: now }
  const valid = policyRange(policy.startOn, policy.endOn)
  await tx.insert(policyPeriods).values({ ...fact, id: randomUUID(), kind: "active", valid })
  // A premium has no end: it applies until the next one.
  const { rateTableId } = policy
  const premiumCents = rateTableId === null ? policy.premiumCents : 0
  const premium = { premiumCents, rateTableId, valid: policyRange(policy.startOn, null) }
  await tx.insert(policyPremiums).values({ ...fact, ...premium, id: randomUUID() })
  const { productTypeId, sumAssuredCents, waitingPeriodMonths, owningFund } = policy
  const term = { ...fact, valid: policyRange(policy.startOn, null) }
  await tx.insert(policyCoverTerms).values([
    { ...term, id: randomUUID(), term: "product type", productTypeId },
    { ...term, id: randomUUID(), term: "sum assured", sumAssuredCents },
    { ...term, id: randomUUID(), term: "waiting period", waitingPeriodMonths },
    { ...term, id: randomUUID(), term: "owning fund", owningFund },
  ])
}

/** Sets the state from `from` (inclusive) and supersedes what was recorded for those days. */
export async function setPolicyState(
  { tx, now }: RecordingCx,
  policy: PolicyRef,
  kind: "active" | "suspended",
  from: Day,
): Promise<void> {
  await tx.run(sql`
    with superseded as (
      update policy_periods set superseded_at = ${now}
      where policy_id = ${policy.id} and superseded_at is null and not valid << daterange(${from}::date, null)
      returning group_id, policy_id, kind, valid
    )
    insert into policy_periods (id, group_id, policy_id, kind, valid, recorded_at)
    select gen_random_uuid(), group_id, policy_id, kind, valid * daterange(null, ${from}::date), ${now}::timestamptz
    from superseded where lower(valid) < ${from}::date
    union all
    select gen_random_uuid(), group_id, policy_id, ${kind}::text, range_merge(valid * datemultirange(daterange(${from}::date, null))), ${now}::timestamptz
    from (select group_id, policy_id, range_agg(valid) as valid from superseded group by group_id, policy_id) whole`)
}

/** Sets the policy's last day; null: no end. */
export async function setPolicyEnd(
  { tx, now }: RecordingCx,
  policy: PolicyRef & { startOn: Day },
  endOn: Day | null,
): Promise<void> {
  const whole = policyRange(policy.startOn, endOn)
  await tx.run(sql`
    with last as (
      select id from policy_periods where policy_id = ${policy.id} and superseded_at is null
      order by valid desc limit 1
    ), superseded as (
      update policy_periods p set superseded_at = ${now}
      where p.policy_id = ${policy.id} and p.superseded_at is null
        and (p.id = (select id from last) or not p.valid <@ ${whole}::daterange)
      returning p.id, p.group_id, p.policy_id, p.kind, p.valid
    ), redrawn as (
      select s.group_id, s.policy_id, s.kind,
        case when s.id = (select id from last) then daterange(lower(s.valid), null) else s.valid end * ${whole}::daterange as valid
      from superseded s
    )
    insert into policy_periods (id, group_id, policy_id, kind, valid, recorded_at)
    select gen_random_uuid(), group_id, policy_id, kind, valid, ${now}::timestamptz from redrawn where not isempty(valid)`)
}

/**
 * Sets the monthly premium per member, or a rate table, from `from` until the next recorded change. With `later`
 * "replace" it replaces the later changes as well.
 */
export async function setPremium(
  cx: RecordingCx,
  policy: PolicyRef,
  { premiumCents, rateTableId = null }: { premiumCents: Cents; rateTableId?: string | null },
  from: Day,
  later?: LaterChanges,
): Promise<void> {
  const values = sql`${premiumCents}::bigint, ${rateTableId}::uuid`
  await setDatedFact(
    cx,
    policy,
    { table: "policy_premiums", columns: "premium_cents, rate_table_id", values },
    from,
    later,
  )
}

export async function setEndRule(
  cx: RecordingCx,
  policy: PolicyRef,
  rule: EndRule,
  from: Day,
  later?: LaterChanges,
): Promise<void> {
  await setDatedFact(
    cx,
    policy,
    { table: "policy_end_rules", columns: "rule", values: sql`${rule}::text` },
    from,
    later,
  )
}

export async function setCoverTerm(
  cx: RecordingCx,
  policy: PolicyRef,
  change: CoverTermChange,
  later?: LaterChanges,
): Promise<void> {
  const { term, from, ...value } = change
  const { productTypeId, sumAssuredCents, waitingPeriodMonths, owningFund } = {
    ...{ productTypeId: null, sumAssuredCents: null, waitingPeriodMonths: null, owningFund: null },
    ...value,
  }
  const fact = {
    table: "policy_cover_terms",
    columns: "term, product_type_id, sum_assured_cents, waiting_period_months, owning_fund",
    values: sql`${term}::text, ${productTypeId}::uuid, ${sumAssuredCents}::bigint, ${waitingPeriodMonths}::integer,
      ${owningFund}::text`,
    of: sql`f.term = ${term}`,
  } as const
  await setDatedFact(cx, policy, fact, from, later)
}

/** SQL version of the domain's `recordFrom`; `of` selects the rows `f` of the timeline. */
async function setDatedFact(
  { tx, now }: RecordingCx,
  policy: PolicyRef,
  fact: {
    table: "policy_premiums" | "policy_end_rules" | "policy_cover_terms"
    columns: string
    values: SQL
    of?: SQL
  },
  from: Day,
  later: LaterChanges = "keep",
): Promise<void> {
  const [table, columns] = [sql.raw(fact.table), sql.raw(fact.columns)]
  const onTimeline = sql`f.policy_id = ${policy.id} and f.superseded_at is null and ${fact.of ?? sql`true`}`
  await tx.run(sql`
    with given as (
      select daterange(${from}::date, (
        select min(change.day) from ${table} f cross join lateral (values (lower(f.valid)), (upper(f.valid))) change (day)
        where ${later === "keep"} and ${onTimeline} and change.day > ${from}::date)) as days
    ), superseded as (
      update ${table} f set superseded_at = ${now} from given
      where ${onTimeline} and f.valid && days
      returning group_id, policy_id, ${columns}, valid
    )
    insert into ${table} (id, group_id, policy_id, ${columns}, valid, recorded_at)
    select gen_random_uuid(), group_id, policy_id, ${columns}, valid * daterange(null, ${from}::date), ${now}::timestamptz
    from superseded where lower(valid) < ${from}::date
    union all
    select gen_random_uuid(), ${policy.groupId}::uuid, ${policy.id}::uuid, ${fact.values}, days, ${now}::timestamptz from given`)
}

/** Null: billed from the policy's start. */
export async function setBilledFrom({ tx, now }: RecordingCx, policy: PolicyRef, month: Day | null): Promise<void> {
  await tx.run(sql`
    update policy_billed_from set superseded_at = ${now} where policy_id = ${policy.id} and superseded_at is null`)
  if (!month) return
  const fact = { groupId: policy.groupId, policyId: policy.id, recordedAt: now }
  await tx.insert(policyBilledFrom).values({ ...fact, id: randomUUID(), month })
}

/** Refreshes the copies of today's premium, rule and terms, of one policy or all. */
export async function refreshCurrentPremiums(
  { tx, today }: Pick<Cx, "tx" | "today">,
  policyId?: string,
): Promise<void> {
  const whose = sql`(${policyId ?? null}::uuid is null or p.id = ${policyId ?? null}::uuid)`
  await tx.run(sql`
    update policies p set premium_cents = pp.premium_cents, rate_table_id = pp.rate_table_id
    from policy_premiums pp
    where pp.policy_id = p.id and pp.superseded_at is null
      and pp.valid @> greatest(${today}::date, p.start_on)
      and (p.premium_cents, p.rate_table_id) is distinct from (pp.premium_cents, pp.rate_table_id) and ${whose}`)
  await tx.run(sql`
    update policies p set end_rule = er.rule
    from policy_end_rules er
    where er.policy_id = p.id and er.superseded_at is null
      and er.valid @> greatest(${today}::date, p.start_on)
      and p.end_rule <> er.rule and ${whose}`)
  await tx.run(sql`
    update policies p set product_type_id = t.product_type_id, sum_assured_cents = t.sum_assured_cents,
      waiting_period_months = t.waiting_period_months, owning_fund = t.owning_fund
    from policies own cross join lateral policy_terms_on(own.id, ${today}::date) t
    where own.id = p.id and p.status <> 'Draft' and ${whose}
      and (p.product_type_id, p.sum_assured_cents, p.waiting_period_months, p.owning_fund)
        is distinct from (t.product_type_id, t.sum_assured_cents, t.waiting_period_months, t.owning_fund)`)
}
