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

const configurations = (where: SQL, label: SQL): SQL => sql`
  select ${label} as label from product_benefits pb
  join product_types pt on pt.id = pb.product_type_id
  join benefits b on b.id = pb.benefit_id
  join benefit_tiers t on t.id = pb.tier_id where ${where}`

export const productTypeUsage = (tx: Tx, id: string) =>
  usageOf(tx, {
    policy: policiesOfProductType(id),
    configuration: configurations(sql`pb.product_type_id = ${id}`, sql`b.name || ' / ' || t.name`),
  })

export const benefitUsage = (tx: Tx, id: string) =>
  usageOf(tx, {
    configuration: configurations(sql`pb.benefit_id = ${id}`, sql`pt.name || ' / ' || t.name`),
    claim: claimsForBenefit(id),
  })

/** Also counts members who had the tier earlier, because their cover is kept. */
export const tierUsage = (tx: Tx, id: string) =>
  usageOf(tx, {
    policy: ratesWithTier(id),
    member: membersWithTier(id),
    configuration: configurations(sql`pb.tier_id = ${id}`, sql`pt.name || ' / ' || b.name`),
    import: staffListsWithTier(id),
    invoice: invoicesWithTier(id),
    claim: claimsAtTier(id),
  })

/** Counts only open claims that use the product benefit. */
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
