import { benefitsContract } from "@milkwood/domain/benefits/benefits.contract"
import { sql } from "drizzle-orm"
import { query } from "../platform/calls/commands.ts"
import { claimsAffectedByTerms } from "./benefits.ports.ts"
import { productBenefitRow } from "./benefits.queries.ts"

export const productBenefitEffect = query(benefitsContract.productBenefits.effect, async (cx) => {
  const { id, from } = cx.input
  await productBenefitRow(cx, id)
  const affected = (isDraft: boolean) => sql`
    (select jsonb_build_object('count', count(*), 'examples', coalesce(to_jsonb((array_agg(label order by label))[1:3]), '[]'))
      from affected where (status = 'draft') = ${isDraft})`
  type Affected = { count: number; examples: string[] }
  return (await cx.tx.row<{ drafts: Affected; submitted: Affected }>(sql`
    with affected as (${claimsAffectedByTerms(id, from)})
    select ${affected(true)} as drafts, ${affected(false)} as submitted`))!
})
