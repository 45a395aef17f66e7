import { standardVatPercent } from "@milkwood/domain/benefits/vat"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { sql } from "drizzle-orm"
import type { Tx } from "../platform/database.ts"

/** What a tier gets from a benefit under a product type; amounts in cents. */
export interface Cover {
  costCents: Cents
  coverAmountCents: Cents
  coverPercentage: number
}

/** The cover that is configured, or null where none is: then there is no maximum to check against. */
export async function coverFor(
  tx: Tx,
  productTypeId: string,
  benefitId: string,
  tierId: string,
): Promise<Cover | null> {
  const cover = await tx.row<Cover>(sql`
    select cost_cents as "costCents", cover_amount_cents as "coverAmountCents", cover_percentage as "coverPercentage"
    from product_benefits
    where product_type_id = ${productTypeId} and benefit_id = ${benefitId} and tier_id = ${tierId}`)
  return cover ?? null
}

/** The VAT rate of a product type on a day, in per cent: 15 unless somebody said otherwise. */
export async function vatPercentOn(tx: Tx, productTypeId: string, day: Day): Promise<number> {
  const rate = await tx.row<{ percent: string }>(sql`
    select percent from product_type_vat_rates
    where product_type_id = ${productTypeId} and (from_on is null or from_on <= ${day}::date)
    order by from_on desc nulls last limit 1`)
  return rate ? Number(rate.percent) : standardVatPercent
}
