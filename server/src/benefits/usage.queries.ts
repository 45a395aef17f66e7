import type { Usage } from "@milkwood/domain/benefits/usage-shape"
import { type SQL, sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"
import {
  claimsAtTier,
  claimsForBenefit,
  claimsUnderProductBenefit,
  invoicesWithTier,
  membersWithTier,
  policiesOfProductType,
  ratesWithTier,
  staffListsWithTier,
} from "./benefits.ports.ts"

/** Product benefits by product type, benefit and tier, each under the name of the two that are not given. */
const configurations = (where: SQL, label: SQL): SQL => sql`
  select ${label} as label from product_benefits pb
  join product_types pt on pt.id = pb.product_type_id
  join benefits b on b.id = pb.benefit_id
  join benefit_tiers t on t.id = pb.tier_id where ${where}`

/** What stands in the way of deleting a product type. */
export const productTypeUsage = (tx: Tx, id: string) =>
  usageOf(tx, {
    policy: policiesOfProductType(id),
    configuration: configurations(sql`pb.product_type_id = ${id}`, sql`b.name || ' / ' || t.name`),
  })

/** What stands in the way of deleting a benefit. */
export const benefitUsage = (tx: Tx, id: string) =>
  usageOf(tx, {
    configuration: configurations(sql`pb.benefit_id = ${id}`, sql`pt.name || ' / ' || t.name`),
    claim: claimsForBenefit(id),
  })

/** What stands in the way of deleting a tier: also members who had it once, whose cover stays on record. */
export const tierUsage = (tx: Tx, id: string) =>
  usageOf(tx, {
    policy: ratesWithTier(id),
    member: membersWithTier(id),
    configuration: configurations(sql`pb.tier_id = ${id}`, sql`pt.name || ' / ' || b.name`),
    import: staffListsWithTier(id),
    invoice: invoicesWithTier(id),
    claim: claimsAtTier(id),
  })

/** What stands in the way of deleting a product benefit or making it another: claims that are not over and rest on it. */
export const productBenefitUsage = (tx: Tx, id: string) => usageOf(tx, { claim: claimsUnderProductBenefit(id) })

async function usageOf(tx: Tx, kinds: Partial<Record<Usage["kind"], SQL>>): Promise<Usage[]> {
  const counted = Object.entries(kinds).map(
    ([kind, labels]) => sql`
      select ${kind}::text as kind, count(*) as count,
        coalesce((array_agg(label order by label))[1:3], '{}'::text[]) as examples
      from (${labels}) used`,
  )
  return tx.rows<Usage>(sql.join(counted, sql` union all `))
}
