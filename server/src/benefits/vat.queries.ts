import { chargesVat, type DatedVat, standardVatPercent, type Vat, type VatClass } from "@milkwood/domain/benefits/vat"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { isKnownAt, type KnownAt } from "../platform/database/known.ts"

export async function vatPercentOn(tx: Tx, productTypeId: string, day: Day): Promise<number> {
  const rate = await tx.row<{ percent: string }>(vatOn(sql`${productTypeId}::uuid`, sql`${day}::date`))
  return Number(rate!.percent)
}

export async function chargingProductTypes({ tx, today }: Pick<Cx, "tx" | "today">): Promise<string[]> {
  const rows = await tx.rows<{ name: string; rates: DatedVat[] }>(sql`
    select p.name, coalesce(jsonb_agg(jsonb_build_object('from', v.from_on, 'percent', v.percent, 'class', v.class))
      filter (where v.product_type_id is not null), '[]') as rates
    from product_types p left join product_type_vat_rates v on v.product_type_id = p.id and v.superseded_at is null
    group by p.id order by lower(p.name)`)
  return rows.filter(({ rates }) => chargesVat(rates, today)).map(({ name }) => name)
}

export async function vatOnDays(tx: Tx, productTypeId: string, days: readonly Day[]): Promise<Map<Day, Vat>> {
  const rows = await tx.rows<{ day: Day; class: VatClass; percent: string }>(sql`
    select d.day, v.class, v.percent from unnest(${sql.param([...days])}::date[]) d (day)
    cross join lateral (${vatOn(sql`${productTypeId}::uuid`, sql`d.day`)}) v`)
  return new Map(rows.map(({ day, percent, ...vat }) => [day, { ...vat, percent: Number(percent) }]))
}

/** The domain's `vatAt` in SQL, as known at a moment: one row, `class, percent`. */
export const vatOn = (productTypeId: SQL, day: SQL, at?: KnownAt): SQL => sql`
  select coalesce(r.class, 'standard') as class, coalesce(r.percent, ${sql.raw(String(standardVatPercent))}) as percent
  from (select 1) one left join lateral (
    select class, percent from product_type_vat_rates v
    where v.product_type_id = ${productTypeId} and (v.from_on is null or v.from_on <= ${day}) and ${isKnownAt("v", at)}
    order by v.from_on desc nulls last limit 1
  ) r on true`
