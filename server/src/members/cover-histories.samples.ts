import { randomUUID } from "node:crypto"
import { addDays, type Day } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import { type CoverHistory, dependentIds, productTypes } from "../../../domain/test/cover-histories.ts"
import { instantAtStep } from "../../../domain/test/premium-histories.ts"
import type { Tx } from "../platform/database/database.ts"

const rangeOf = ({ from, until }: { from: Day | null; until: Day | null }) =>
  `[${from ?? ""},${until === null ? "" : addDays(until, 1)})`.replace("[,", "(,")

/** Stores product types, terms and dependents for a policy and its members, with ids of their names. */
export async function storeCoverHistory(
  owner: Tx,
  { policyId, memberIds }: { policyId: string; memberIds: string[] },
  history: CoverHistory,
) {
  const at = instantAtStep(0)
  const benefitId = randomUUID()
  const { groupId, first } = (await owner.row<{ groupId: string; first: string }>(sql`
    select group_id as "groupId", product_type_id as first from policies where id = ${policyId}`))!
  const productIds = [first, randomUUID()]
  const idOf = (name: string) => productIds[productTypes.indexOf(name)]!
  await owner.run(sql`
    insert into product_types (id, name, created_at) values (${productIds[1]!}, ${`Product ${productIds[1]}`}, ${at})`)
  await owner.run(
    sql`insert into benefits (id, name, created_at) values (${benefitId}, ${`Benefit ${benefitId}`}, ${at})`,
  )
  await owner.run(sql`
    insert into dependents (id, group_id, member_id, first_name, last_name, relationship, from_on, created_at, updated_at)
    select md5(m.id || p.name)::uuid, ${groupId}::uuid, m.id, 'Dependent', p.name, 'other', '2024-01-01', ${at}, ${at}
    from unnest(${sql.param(memberIds)}::uuid[]) m (id) cross join unnest(${sql.param(dependentIds)}::text[]) p (name)`)
  for (const { recordedAt, supersededAt, ...fact } of history.productTypes) {
    await owner.run(sql`
      insert into policy_cover_terms (id, group_id, policy_id, term, product_type_id, valid, recorded_at, superseded_at)
      values (${randomUUID()}, ${groupId}, ${policyId}, 'product type', ${idOf(fact.productTypeId)},
        ${rangeOf(fact)}::daterange, ${recordedAt}, ${supersededAt})`)
  }
  for (const { recordedAt, supersededAt, ...fact } of history.waitingPeriods) {
    await owner.run(sql`
      insert into policy_cover_terms (id, group_id, policy_id, term, waiting_period_months, valid, recorded_at, superseded_at)
      values (${randomUUID()}, ${groupId}, ${policyId}, 'waiting period', ${fact.months}, ${rangeOf(fact)}::daterange,
        ${recordedAt}, ${supersededAt})`)
  }
  const productBenefits = new Map<string, string>()
  for (const { recordedAt, supersededAt, ...fact } of history.terms) {
    const key = `${fact.productTypeId} ${fact.tierId}`
    const productBenefitId = productBenefits.get(key) ?? randomUUID()
    if (!productBenefits.has(key)) {
      productBenefits.set(key, productBenefitId)
      await owner.run(sql`
        insert into product_benefits (id, product_type_id, benefit_id, tier_id, created_at)
        select ${productBenefitId}::uuid, ${idOf(fact.productTypeId)}::uuid, ${benefitId}::uuid, id, ${at}::timestamptz
        from benefit_tiers where position = ${Number(fact.tierId.slice(-1))}`)
    }
    const termsId = randomUUID()
    await owner.run(sql`
      insert into product_benefit_terms (id, product_benefit_id, valid, amount_cents, salary_multiple, percentage,
        incident_limit_cents, year_limit_cents, cover_year, dependents_alike, recorded_at, superseded_at)
      values (${termsId}, ${productBenefitId}, ${rangeOf(fact)}::daterange, ${fact.amountCents}, ${fact.salaryMultiple},
        ${fact.percentage}, ${fact.incidentLimitCents}, ${fact.yearLimitCents}, ${fact.coverYear},
        ${fact.dependents === null}, ${recordedAt}, ${supersededAt})`)
    await owner.run(sql`
      insert into product_benefit_dependents (id, terms_id, insured, age_from, age_to, amount_cents, salary_multiple,
        percentage, incident_limit_cents, year_limit_cents)
      select gen_random_uuid(), ${termsId}::uuid, insured, "ageFrom", "ageTo", "amountCents", "salaryMultiple", percentage,
        "incidentLimitCents", "yearLimitCents"
      from jsonb_to_recordset(${JSON.stringify(fact.dependents ?? [])}::jsonb) as (insured text, "ageFrom" integer,
        "ageTo" integer, "amountCents" bigint, "salaryMultiple" numeric, percentage integer, "incidentLimitCents" bigint,
        "yearLimitCents" bigint)`)
  }
  return {
    benefitId,
    productBenefitIds: [...productBenefits.values()],
    nameOf: (id: string) => productTypes[productIds.indexOf(id)],
  }
}
