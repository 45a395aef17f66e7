import { standardVatPercent } from "@milkwood/domain/benefits/vat"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"

/** The VAT rate of a product type on a day, in per cent: 15 unless somebody said otherwise. */
export async function vatPercentOn(tx: Tx, productTypeId: string, day: Day): Promise<number> {
  const rate = await tx.row<{ percent: string }>(sql`
    select percent from product_type_vat_rates
    where product_type_id = ${productTypeId} and (from_on is null or from_on <= ${day}::date)
    order by from_on desc nulls last limit 1`)
  return rate ? Number(rate.percent) : standardVatPercent
}
