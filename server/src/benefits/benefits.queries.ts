import { benefitActionsOf } from "@milkwood/domain/benefits/benefit"
import {
  type BenefitRow,
  benefitsContract,
  type ProductBenefitRow,
  type ProductTypeRow,
  type TierRow,
} from "@milkwood/domain/benefits/benefits.contract"
import { vatPercentAt } from "@milkwood/domain/benefits/vat"
import type { VatRate } from "@milkwood/domain/benefits/vat-shape"
import { type SQL, sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query, refused } from "../platform/calls/commands.ts"

type Reader = Pick<Cx, "tx" | "actor" | "today">
type NamedTable = "product_types" | "benefits" | "benefit_tiers"
interface Paging {
  page: number
  pageSize: number
  dir: "asc" | "desc"
  search: string
}

const named = `id, name, description, created_at as "createdAt", version`

const columns: Record<NamedTable, SQL> = {
  benefits: sql.raw(named),
  benefit_tiers: sql.raw(`${named}, position`),
  product_types: sql.raw(`${named}, (
    select coalesce(jsonb_agg(jsonb_build_object('from', from_on, 'percent', percent, 'class', class) order by from_on nulls first), '[]')
    from product_type_vat_rates where product_type_id = id and superseded_at is null) as "vatRates"`),
}

const namedSorts = { name: sql.raw("lower(name)"), createdAt: sql.raw("created_at"), position: sql.raw("position") }

export const productTypesList = query(benefitsContract.productTypes.list, async (cx) => {
  const page = await namedPage<ProductTypeRow>(cx, "product_types", cx.input, namedSorts[cx.input.sort])
  return { ...page, rows: page.rows.map((row) => withVat(row, cx.today)) }
})

export const benefitsList = query(benefitsContract.benefits.list, (cx) =>
  namedPage<BenefitRow>(cx, "benefits", cx.input, namedSorts[cx.input.sort]),
)

export const tiersList = query(benefitsContract.tiers.list, (cx) =>
  namedPage<TierRow>(cx, "benefit_tiers", cx.input, namedSorts[cx.input.sort]),
)

/** One product type as the list shows it; NOT_FOUND when there is none. The same for the others below. */
export async function productTypeRow(cx: Reader, id: string): Promise<ProductTypeRow> {
  return withVat(await namedRow<ProductTypeRow>(cx, "product_types", id), cx.today)
}
export const benefitRow = (cx: Reader, id: string) => namedRow<BenefitRow>(cx, "benefits", id)
export const tierRow = (cx: Reader, id: string) => namedRow<TierRow>(cx, "benefit_tiers", id)

/** The tiers in their order. */
export async function tierRows(cx: Reader): Promise<TierRow[]> {
  const rows = await cx.tx.rows<TierRow>(sql`select ${columns.benefit_tiers} from benefit_tiers order by position`)
  return rows.map((row) => ({ ...row, allowedActions: actionsFor(cx) }))
}

/** What a form offers to choose from. */
export const benefitChoices = query(benefitsContract.choices, async ({ tx }) => {
  const list = (table: NamedTable, order: "name" | "position") => sql`(
    select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', name) order by ${namedSorts[order]}), '[]')
    from ${sql.raw(table)})`
  type Choice = { id: string; name: string }
  return (await tx.row<{ productTypes: Choice[]; benefits: Choice[]; tiers: Choice[] }>(sql`
    select ${list("product_types", "name")} as "productTypes", ${list("benefits", "name")} as benefits,
      ${list("benefit_tiers", "position")} as tiers`))!
})

const productBenefitColumns = sql.raw(`
  pb.id, pb.product_type_id as "productTypeId", pt.name as "productType", pb.benefit_id as "benefitId",
  b.name as benefit, pb.tier_id as "tierId", t.name as tier, pb.cost_cents as "costCents",
  pb.cover_amount_cents as "coverAmountCents", pb.cover_percentage as "coverPercentage", pb.version`)

const productBenefitsFrom = sql.raw(`
  product_benefits pb
  join product_types pt on pt.id = pb.product_type_id
  join benefits b on b.id = pb.benefit_id
  join benefit_tiers t on t.id = pb.tier_id`)

const productBenefitSorts = {
  productType: sql.raw("lower(pt.name)"),
  benefit: sql.raw("lower(b.name)"),
  tier: sql.raw("t.position"),
  costCents: sql.raw("pb.cost_cents"),
  coverAmountCents: sql.raw("pb.cover_amount_cents"),
  coverPercentage: sql.raw("pb.cover_percentage"),
}

/** The configuration: what each tier gets under each product type. */
export const productBenefitsList = query(benefitsContract.productBenefits.list, async (cx) => {
  const { input, tx } = cx
  const pattern = likePattern(input.search)
  const matching = sql`
    ${pattern ? sql`(pt.name ilike ${pattern} or b.name ilike ${pattern} or t.name ilike ${pattern})` : sql`true`}
    and ${input.productTypeId ? sql`pb.product_type_id = ${input.productTypeId}` : sql`true`}`
  const { rows, total } = (await tx.row<{ rows: ProductBenefitRow[]; total: number }>(sql`
    select
      (select count(*) from ${productBenefitsFrom} where ${matching}) as total,
      (select coalesce(jsonb_agg(to_jsonb(page)), '[]') from (
        select ${productBenefitColumns} from ${productBenefitsFrom} where ${matching}
        order by ${productBenefitSorts[input.sort]} ${sql.raw(input.dir)}, lower(pt.name), lower(b.name), t.position
        limit ${input.pageSize} offset ${(input.page - 1) * input.pageSize}) page) as rows`))!
  return { rows: rows.map((row) => ({ ...row, allowedActions: actionsFor(cx) })), total }
})

/** One line of the configuration; NOT_FOUND when there is none. */
export async function productBenefitRow(cx: Reader, id: string): Promise<ProductBenefitRow> {
  const row = await cx.tx.row<ProductBenefitRow>(
    sql`select ${productBenefitColumns} from ${productBenefitsFrom} where pb.id = ${id}`,
  )
  if (!row) throw refused("NOT_FOUND", "There is no such product benefit.")
  return { ...row, allowedActions: actionsFor(cx) }
}

async function namedPage<Row extends BenefitRow>(cx: Reader, table: NamedTable, input: Paging, sort: SQL) {
  const pattern = likePattern(input.search)
  const matching = pattern ? sql`(name ilike ${pattern} or description ilike ${pattern})` : sql`true`
  const direction = sql.raw(input.dir)
  const { rows, total } = (await cx.tx.row<{ rows: Row[]; total: number }>(sql`
    select
      (select count(*) from ${sql.raw(table)} where ${matching}) as total,
      (select coalesce(jsonb_agg(to_jsonb(page)), '[]') from (
        select ${columns[table]} from ${sql.raw(table)} where ${matching}
        order by ${sort} ${direction}, id ${direction}
        limit ${input.pageSize} offset ${(input.page - 1) * input.pageSize}) page) as rows`))!
  return { rows: rows.map((row) => presented(cx, row)), total }
}

async function namedRow<Row extends BenefitRow>(cx: Reader, table: NamedTable, id: string): Promise<Row> {
  const row = await cx.tx.row<Row>(sql`select ${columns[table]} from ${sql.raw(table)} where id = ${id}`)
  if (!row) throw refused("NOT_FOUND")
  return presented(cx, row)
}

/** Adds what the reader may do; an instant that came through JSON gets the contract's Z. */
function presented<Row extends BenefitRow>(cx: Reader, row: Row): Row {
  return { ...row, createdAt: Temporal.Instant.from(row.createdAt).toString(), allowedActions: actionsFor(cx) }
}

function withVat(row: Omit<ProductTypeRow, "vatPercent"> & { vatRates: VatRate[] }, today: string): ProductTypeRow {
  return { ...row, vatPercent: vatPercentAt(row.vatRates, today) }
}

function actionsFor({ actor }: Pick<Cx, "actor">) {
  return benefitActionsOf(ruleActor(actor).role)
}

function likePattern(search: string): string | null {
  return search ? `%${search.replace(/[\\%_]/g, "\\$&")}%` : null
}
