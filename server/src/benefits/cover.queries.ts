import { standardVatPercent } from "@milkwood/domain/benefits/vat"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"

/** The tier of the member `m` on a day: that of the cover then, or today's where there was none. */
export const tierOn = (on: SQL): SQL => sql`coalesce(
  (select mc.tier_id from member_covers mc where mc.member_id = m.id and mc.superseded_at is null and mc.valid @> ${on}),
  m.tier_id)`

/** The VAT rate of a product type on a day, in per cent: 15 unless somebody said otherwise. */
export async function vatPercentOn(tx: Tx, productTypeId: string, day: Day): Promise<number> {
  const rate = await tx.row<{ percent: string }>(sql`
    select percent from product_type_vat_rates
    where product_type_id = ${productTypeId} and (from_on is null or from_on <= ${day}::date)
    order by from_on desc nulls last limit 1`)
  return rate ? Number(rate.percent) : standardVatPercent
}
