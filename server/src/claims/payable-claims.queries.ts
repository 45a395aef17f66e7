import type { PayableClaim } from "@milkwood/domain/claims/claim-shape"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { sql } from "drizzle-orm"
import { query } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { containing, hasWords, soughtOf, wordPatterns } from "../platform/database/like.ts"

/** Approved claims waiting for payment, in the columns of the payouts list. A trigger maintains the table. */
export const claimsToPay = `
  select claim_id as id, '' as number, 'claim' as subject_kind, claim_id as subject_id, number as subject_label, member_id,
    policy_id, group_id, open_cents as amount_cents, null::text as method, '' as reference, 'waiting' as status,
    null::date as completed_on, null::date as returned_on, approved_at as created_at, 1 as version, true as needs_action
  from claims_to_pay`

export const payableClaims = query(claimsContract.payable, ({ tx, input: { search, claimId } }) => {
  const like = containing(search)
  return tx.rows<PayableClaim>(sql`
    select c.id, c.number, c.policy_id as "policyId", c.member_id as "memberId", m.first_name || ' ' || m.last_name as "memberName",
      p.number as "policyNumber", g.name as "groupName", c.approved_amount_cents as "approvedCents", w.open_cents as "openCents",
      w.approved_at as "approvedAt"
    from claims_to_pay w
    join claims c on c.id = w.claim_id
    join members m on m.id = c.member_id
    join policies p on p.id = c.policy_id
    join employer_groups g on g.id = c.group_id
    where ${claimId ? sql`w.claim_id = ${claimId}` : sql`true`}
      and ${search ? sql`(lower(c.number) like ${like} or lower(g.name) like ${like} or ${hasWords(sql`m.search_key`, wordPatterns(soughtOf(search)))})` : sql`true`}
    order by w.approved_at, w.number limit 50`)
})

export async function waitingForPayment(tx: Tx): Promise<{ count: number; cents: number }> {
  return (await tx.row<{ count: number; cents: number }>(sql`
    select count(*) as count, coalesce(sum(open_cents), 0)::bigint as cents from claims_to_pay`))!
}
