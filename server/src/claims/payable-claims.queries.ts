import type { PayableClaim } from "@milkwood/domain/claims/claim-shape"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { sql } from "drizzle-orm"
import { query } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { containing } from "../platform/database/like.ts"

/** Approved claims without a payment that waits or is on its way: what is still to be paid of them waits for one. */
const payable = `c.status = 'approved' and not exists (select from payouts o
  where o.subject_kind = 'claim' and o.subject_id = c.id and o.status in ('pending', 'processing', 'failed'))`

/** What of an approved claim is still to be paid, in cents. */
const openCents = `(c.approved_amount_cents - coalesce((select sum(o.amount_cents) from payouts o
  where o.subject_kind = 'claim' and o.subject_id = c.id and o.status = 'completed'), 0))::bigint`

/**
 * Claims that wait for a payment, as rows of payments that nobody has made yet: for the list of the room payouts, whose
 * columns these are.
 */
export const claimsToPay = `
  select c.id, '' as number, 'claim' as subject_kind, c.id as subject_id, c.number as subject_label, c.member_id, c.policy_id,
    c.group_id, ${openCents} as amount_cents, null::text as method, '' as reference, 'waiting' as status,
    null::date as completed_on, null::date as returned_on, c.final_approval_at as created_at, c.version, true as needs_action
  from claims c where ${payable}`

export const payableClaims = query(claimsContract.payable, ({ tx, input: { search, claimId } }) => {
  const like = containing(search)
  return tx.rows<PayableClaim>(sql`
    select c.id, c.number, c.policy_id as "policyId", c.member_id as "memberId", m.first_name || ' ' || m.last_name as "memberName",
      p.number as "policyNumber", g.name as "groupName", c.approved_amount_cents as "approvedCents", ${sql.raw(openCents)} as "openCents",
      c.final_approval_at as "approvedAt"
    from claims c
    join members m on m.id = c.member_id
    join policies p on p.id = c.policy_id
    join employer_groups g on g.id = c.group_id
    where ${sql.raw(payable)}
      and ${claimId ? sql`c.id = ${claimId}` : sql`true`}
      and ${search ? sql`(lower(c.number) like ${like} or lower(m.first_name || ' ' || m.last_name) like ${like} or lower(g.name) like ${like})` : sql`true`}
    order by c.final_approval_at, c.number limit 50`)
})

/** How many approved claims wait for a payment, and how much of them. Units: cents. */
export async function waitingForPayment(tx: Tx): Promise<{ count: number; cents: number }> {
  return (await tx.row<{ count: number; cents: number }>(sql`
    select count(*) as count, coalesce(sum(${sql.raw(openCents)}), 0)::bigint as cents from claims c where ${sql.raw(payable)}`))!
}
