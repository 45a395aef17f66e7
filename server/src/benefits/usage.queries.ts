import type { Usage } from "@milkwood/domain/benefits/usage"
import { type SQL, sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"
import { tierOn } from "./cover.queries.ts"

/** What stands in the way of deleting a product type. */
export const productTypeUsage = (tx: Tx, id: string) =>
  usageOf(tx, {
    policy: sql`select number as label from policies where product_type_id = ${id}`,
    configuration: sql`
      select b.name || ' / ' || t.name as label from product_benefits pb
      join benefits b on b.id = pb.benefit_id join benefit_tiers t on t.id = pb.tier_id where pb.product_type_id = ${id}`,
  })

/** What stands in the way of deleting a benefit. */
export const benefitUsage = (tx: Tx, id: string) =>
  usageOf(tx, {
    configuration: sql`
      select pt.name || ' / ' || t.name as label from product_benefits pb
      join product_types pt on pt.id = pb.product_type_id join benefit_tiers t on t.id = pb.tier_id where pb.benefit_id = ${id}`,
    claim: sql`select number as label from claims where benefit_id = ${id}`,
  })

/**
 * What stands in the way of deleting a tier: also members who had it once, whose cover stays on record, and staff
 * lists that would give it to somebody once they are imported.
 */
export const tierUsage = (tx: Tx, id: string) =>
  usageOf(tx, {
    member: sql`
      select number as label from members m where tier_id = ${id}
      or exists (select from member_covers c where c.member_id = m.id and c.tier_id = ${id})`,
    configuration: sql`
      select pt.name || ' / ' || b.name as label from product_benefits pb
      join product_types pt on pt.id = pb.product_type_id join benefits b on b.id = pb.benefit_id where pb.tier_id = ${id}`,
    import: sql`
      select file_name as label from member_imports i where status in ('ready', 'committing') and exists (
        select from member_import_rows r where r.import_id = i.id
          and coalesce(r.tier_id, case when r.outcome = 'joiner' then i.default_tier_id end) = ${id})`,
    invoice: sql`
      select number as label from invoices i
      where exists (select from invoice_lines l where l.invoice_id = i.id and l.tier_id = ${id})`,
  })

/** What stands in the way of deleting a product benefit or making it another: claims whose cover check still reads it. */
export const productBenefitUsage = (tx: Tx, id: string) =>
  usageOf(tx, {
    claim: sql`
      select c.number as label from product_benefits pb
      join claims c on c.benefit_id = pb.benefit_id
      join policies p on p.id = c.policy_id and p.product_type_id = pb.product_type_id
      join members m on m.id = c.member_id
      where pb.id = ${id} and pb.tier_id = ${tierOn(sql`c.incident_on`)} and c.status not in ('rejected', 'paid')`,
  })

async function usageOf(tx: Tx, kinds: Partial<Record<Usage["kind"], SQL>>): Promise<Usage[]> {
  const counted = Object.entries(kinds).map(
    ([kind, labels]) => sql`
      select ${kind}::text as kind, count(*) as count,
        coalesce((array_agg(label order by label))[1:3], '{}'::text[]) as examples
      from (${labels}) used`,
  )
  return tx.rows<Usage>(sql.join(counted, sql` union all `))
}
