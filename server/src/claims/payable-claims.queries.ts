import type { PayableClaim } from "@milkwood/domain/claims/claim-shape"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { type SQL, sql } from "drizzle-orm"
import { hasLivePayout } from "../payouts/payouts.queries.ts"
import { query } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { containing } from "../platform/database/like.ts"

/** Approved claims without a live payment. */
const payable = (): SQL => sql`
  from claims c
  join members m on m.id = c.member_id
  join policies p on p.id = c.policy_id
  join employer_groups g on g.id = c.group_id
  where c.status = 'approved' and not ${hasLivePayout("claim", sql`c.id`)}`

export const payableClaims = query(claimsContract.payable, ({ tx, input: { search, claimId } }) => {
  const like = containing(search)
  return tx.rows<PayableClaim>(sql`
    select c.id, c.number, m.first_name || ' ' || m.last_name as "memberName", p.number as "policyNumber", g.name as "groupName",
      c.approved_amount_cents as "approvedCents", c.final_approval_at as "approvedAt"
    ${payable()}
      and ${claimId ? sql`c.id = ${claimId}` : sql`true`}
      and ${search ? sql`(lower(c.number) like ${like} or lower(m.first_name || ' ' || m.last_name) like ${like} or lower(g.name) like ${like})` : sql`true`}
    order by c.final_approval_at, c.number limit 50`)
})

/** How many approved claims wait for a payment, and of how much. Units: cents. */
export async function waitingForPayment(tx: Tx): Promise<{ count: number; cents: number }> {
  return (await tx.row<{ count: number; cents: number }>(sql`
    select count(*) as count, coalesce(sum(c.approved_amount_cents), 0)::bigint as cents
    from claims c where c.status = 'approved' and not ${hasLivePayout("claim", sql`c.id`)}`))!
}
