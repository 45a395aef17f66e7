import { benefitActionsOf } from "@milkwood/domain/benefits/benefit"
import {
  type BenefitRow,
  benefitsContract,
  type NamedRow,
  type ProductBenefitRow,
  type ProductTypeRow,
  type TierRow,
} from "@milkwood/domain/benefits/benefits.contract"
import { vatAt } from "@milkwood/domain/benefits/vat"
import type { VatRate } from "@milkwood/domain/benefits/vat-shape"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query, refused } from "../platform/calls/commands.ts"

type BenefitReaderCx = Pick<Cx, "tx" | "actor" | "today">
export type NamedTable = "product_types" | "benefits" | "benefit_tiers"
const namedColumnsSql = `id, name, description, created_at as "createdAt", version`

export const namedColumns: Record<NamedTable, SQL> = {
  benefits: sql.raw(`${namedColumnsSql}, claim_types as "claimTypes"`),
  benefit_tiers: sql.raw(`${namedColumnsSql}, position`),
  product_types: sql.raw(`${namedColumnsSql}, is_funeral as "isFuneral", (
    select coalesce(jsonb_agg(jsonb_build_object('from', from_on, 'percent', percent, 'class', class) order by from_on nulls first), '[]')
    from product_type_vat_rates where product_type_id = id and superseded_at is null) as "vatRates"`),
}

/** NOT_FOUND if the record does not exist; the same applies to the functions below. */
export async function productTypeRow(cx: BenefitReaderCx, id: string): Promise<ProductTypeRow> {
  return withVat(await namedRow<ProductTypeRow>(cx, "product_types", id), cx.today)
}
export const benefitRow = (cx: BenefitReaderCx, id: string) => namedRow<BenefitRow>(cx, "benefits", id)
export const tierRow = (cx: BenefitReaderCx, id: string) => namedRow<TierRow>(cx, "benefit_tiers", id)

export async function tierRows(cx: BenefitReaderCx): Promise<TierRow[]> {
  const rows = await cx.tx.rows<TierRow>(sql`select ${namedColumns.benefit_tiers} from benefit_tiers order by position`)
  return rows.map((row) => ({ ...row, allowedActions: actionsFor(cx) }))
}

export const benefitChoices = query(benefitsContract.choices, async ({ tx }) => {
  const list = (table: NamedTable, order: "lower(name)" | "position") => sql`(
    select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name) order by ${sql.raw(order)}), '[]')
    from ${sql.raw(table)})`
  type Choice = { id: string; name: string }
  return (await tx.row<{ productTypes: Choice[]; benefits: Choice[]; tiers: Choice[] }>(sql`
    select ${list("product_types", "lower(name)")} as "productTypes", ${list("benefits", "lower(name)")} as benefits,
      ${list("benefit_tiers", "position")} as tiers`))!
})

const amountsJson = (alias: string) => `
  'salaryMultiple', ${alias}.salary_multiple, 'incidentLimitCents', ${alias}.incident_limit_cents,
  'yearLimitCents', ${alias}.year_limit_cents`

/** Null if dependents have the member's cover. `alias` is that of `product_benefit_terms`. */
const dependentsJson = (alias: string) => `
  case when not ${alias}.dependents_alike then (
    select coalesce(jsonb_agg(jsonb_build_object('insured', d.insured, 'ageFrom', d.age_from, 'ageTo', d.age_to,
      'amountCents', d.amount_cents, 'percentage', d.percentage, ${amountsJson("d")})
      order by array_position(array['spouse', 'child', 'parent', 'other'], d.insured), d.age_from), '[]')
    from product_benefit_dependents d where d.terms_id = ${alias}.id) end`

/** For `product_benefits pb` with the joins of `productBenefitTerms`. */
export const productBenefitColumns = sql.raw(`
  pb.id, pb.product_type_id as "productTypeId", pt.name as "productType", pb.benefit_id as "benefitId",
  b.name as benefit, pb.tier_id as "tierId", t.name as tier, pb.cost_cents as "costCents",
  today.amount_cents as "coverAmountCents", today.salary_multiple::float8 as "salaryMultiple",
  today.percentage as "coverPercentage", today.incident_limit_cents as "incidentLimitCents",
  today.year_limit_cents as "yearLimitCents", today.cover_year as "coverYear",
  ${dependentsJson("today")} as dependents, terms.changes as terms, pb.version`)

const changesJson = sql.raw(`
  jsonb_agg(jsonb_build_object('from', lower(x.valid), 'reason', x.reason, 'coverAmountCents', x.amount_cents,
    'coverPercentage', x.percentage, 'coverYear', x.cover_year, 'dependents', ${dependentsJson("x")}, ${amountsJson("x")})
    order by x.valid)`)

/** Joins today's terms as `today` and all current ones as `terms`, to `product_benefits pb`. */
export const productBenefitTerms = (today: Day): SQL => sql`
  left join product_benefit_terms today on today.product_benefit_id = pb.id and today.superseded_at is null
    and today.valid @> ${today}::date
  left join lateral (
    select ${changesJson} as changes
    from product_benefit_terms x where x.product_benefit_id = pb.id and x.superseded_at is null
  ) terms on true`

const productBenefitsFrom = (today: Day): SQL => sql`
  product_benefits pb
  join product_types pt on pt.id = pb.product_type_id
  join benefits b on b.id = pb.benefit_id
  join benefit_tiers t on t.id = pb.tier_id
  ${productBenefitTerms(today)}`

export async function productBenefitRow(cx: BenefitReaderCx, id: string): Promise<ProductBenefitRow> {
  const row = await cx.tx.row<ProductBenefitRow>(
    sql`select ${productBenefitColumns} from ${productBenefitsFrom(cx.today)} where pb.id = ${id}`,
  )
  if (!row) throw refused("NOT_FOUND", "This product benefit does not exist.")
  return { ...row, allowedActions: actionsFor(cx) }
}

async function namedRow<Row extends NamedRow>(cx: BenefitReaderCx, table: NamedTable, id: string): Promise<Row> {
  const row = await cx.tx.row<Row>(sql`select ${namedColumns[table]} from ${sql.raw(table)} where id = ${id}`)
  if (!row) throw refused("NOT_FOUND")
  return withBenefitActions(cx, row)
}

/** Converts instants from JSON to the contract's Z form. */
function withBenefitActions<Row extends NamedRow>(cx: BenefitReaderCx, row: Row): Row {
  return { ...row, createdAt: Temporal.Instant.from(row.createdAt).toString(), allowedActions: actionsFor(cx) }
}

export function withVat(
  row: Omit<ProductTypeRow, "vatClass" | "vatPercent"> & { vatRates: VatRate[] },
  today: string,
): ProductTypeRow {
  const { class: vatClass, percent: vatPercent } = vatAt(row.vatRates, today)
  return { ...row, vatClass, vatPercent }
}

function actionsFor({ actor }: Pick<Cx, "actor">) {
  return benefitActionsOf(ruleActor(actor).role)
}
