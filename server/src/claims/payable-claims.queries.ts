import type { PayableClaim } from "@milkwood/domain/claims/claim-shape"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { sql } from "drizzle-orm"
import { query } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { containsPattern, matchesWords, normalizeSearchText, wordPatterns } from "../platform/database/like.ts"

/**
 * Approved claims with an open amount. One without recorded payees waits for its running payment; one with them is open
 * for the payees without a payment.
 */
const unpaidClaimsSql = sql`
    select c.id, c.group_id, c.policy_id, c.member_id, c.number, c.approved_amount_cents - paid.cents as open_cents,
      c.final_approval_at as approved_at
    from claims c
    cross join lateral (
      select coalesce(sum(o.amount_cents), 0)::bigint as cents,
        coalesce(bool_or(o.payee_id is null and o.status <> 'completed'), false) as has_typed
      from payouts o
      where o.subject_kind = 'claim' and o.subject_id = c.id and o.status in ('pending', 'processing', 'failed', 'completed')
    ) paid
    where c.status = 'approved' and c.approved_amount_cents > paid.cents and not paid.has_typed`

/** Approved claims waiting for payment, in the columns of the payouts list. */
export const claimsToPay = sql`
  select id, '' as number, 'claim' as subject_kind, id as subject_id, number as subject_label, member_id, policy_id, group_id,
    open_cents as amount_cents, null::text as method, '' as reference, 'waiting' as status, null::date as completed_on,
    null::date as returned_on, approved_at as created_at, 1 as version, true as needs_action, '' as payee_name
  from (${unpaidClaimsSql}) w`

export const readPayableClaims = query(claimsContract.payable, ({ tx, input: { search, claimId } }) => {
  const like = containsPattern(search)
  return tx.rows<PayableClaim>(sql`
    select c.id, c.number, c.policy_id as "policyId", c.member_id as "memberId", m.first_name || ' ' || m.last_name as "memberName",
      p.number as "policyNumber", g.name as "groupName", c.approved_amount_cents as "approvedCents", w.open_cents as "openCents",
      w.approved_at as "approvedAt", payees.recorded as "hasPayees",
      c.claim_type = 'death' and not payees.recorded and not claim_has_payments(c.id) as "needsPayees"
    from (${unpaidClaimsSql}) w
    join claims c on c.id = w.id
    cross join lateral (
      select exists (select from claim_payee_sets s where s.claim_id = c.id and s.superseded_at is null) as recorded
    ) payees
    join members m on m.id = c.member_id
    join policies p on p.id = c.policy_id
    join employer_groups g on g.id = c.group_id
    where ${claimId ? sql`w.id = ${claimId}` : sql`true`}
      and ${search ? sql`(lower(c.number) like ${like} or lower(g.name) like ${like} or ${matchesWords(sql`m.search_key`, wordPatterns(normalizeSearchText(search)))})` : sql`true`}
    order by w.approved_at, w.number limit 50`)
})

export async function loadWaitingForPayment(tx: Tx): Promise<{ count: number; cents: number }> {
  return (await tx.row<{ count: number; cents: number }>(sql`
    select count(*) as count, coalesce(sum(open_cents), 0)::bigint as cents from (${unpaidClaimsSql}) w`))!
}
