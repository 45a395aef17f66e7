import { allowedPayoutActions, type PayoutFacts } from "@milkwood/domain/payouts/payout"
import type { PayableClaim, PayoutDetail, PayoutRow } from "@milkwood/domain/payouts/payouts.contract"
import { payoutsSettings } from "@milkwood/domain/payouts/payouts-settings"
import { sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { containing } from "../platform/database/like.ts"
import { readSettings } from "../platform/settings/store.ts"
import { timeline } from "../platform/trail/facts.ts"

type StoredRow = Omit<PayoutRow, "allowedActions"> & Pick<PayoutFacts, "preparedBy" | "payeeChangedBy">

const fromPayouts = sql`
  from payouts o
  join claims c on c.id = o.claim_id
  join members m on m.id = c.member_id
  join policies p on p.id = o.policy_id
  join employer_groups g on g.id = o.group_id`

const row = sql`
  o.id, o.number, o.claim_id as "claimId", c.number as "claimNumber", m.id as "memberId",
  m.first_name || ' ' || m.last_name as "memberName", p.id as "policyId", p.number as "policyNumber", g.name as "groupName", o.amount_cents as "amountCents", o.method, o.reference, o.status,
  o.completed_on as "completedOn", o.created_at as "createdAt", o.version, o.prepared_by as "preparedBy", o.payee_changed_by as "payeeChangedBy"`

/** Approved claims without a live payment. */
const payable = sql`
  from claims c
  join members m on m.id = c.member_id
  join policies p on p.id = c.policy_id
  join employer_groups g on g.id = c.group_id
  where c.status = 'approved' and not exists (select from payouts where claim_id = c.id and status <> 'cancelled')`

/** How many approved claims wait for a payment, and of how much. Units: cents. */
export async function waitingForPayment(tx: Tx): Promise<{ count: number; cents: number }> {
  return (await tx.row<{ count: number; cents: number }>(sql`
    select count(*) as count, coalesce(sum(c.approved_amount_cents), 0)::bigint as cents
    from claims c where c.status = 'approved'
      and not exists (select from payouts where claim_id = c.id and status <> 'cancelled')`))!
}

/** One payment with everything around it. Refuses NOT_FOUND. */
export async function payoutDetail(cx: Cx, payoutId: string): Promise<PayoutDetail> {
  const found = await cx.tx.row<
    Omit<PayoutDetail, "timeline" | "allowedActions"> & Pick<PayoutFacts, "preparedBy" | "payeeChangedBy">
  >(sql`
    select ${row}, o.notes, o.payee_name as "payeeName", o.payee_bank as "payeeBank", o.payee_branch_code as "payeeBranchCode",
      o.payee_account_number as "payeeAccountNumber", maker.name as "createdByName", releaser.name as "releasedByName",
      o.released_at as "releasedAt", o.status_reason as "statusReason"
    ${fromPayouts}
    left join users maker on maker.id = o.created_by
    left join users releaser on releaser.id = o.released_by
    where o.id = ${payoutId}`)
  if (!found) throw refused("NOT_FOUND")
  const { releaseLimitCents } = await readSettings(cx.tx, payoutsSettings)
  return { ...withActions(cx, found, releaseLimitCents), timeline: await timeline(cx, "payout", payoutId) }
}

function withActions<T extends StoredRow>(cx: Cx, stored: T, releaseLimitCents: number) {
  const { preparedBy: _prepared, payeeChangedBy: _changed, ...shown } = stored
  return { ...shown, allowedActions: allowedPayoutActions(stored, ruleActor(cx.actor), releaseLimitCents) }
}

export async function payableClaims(tx: Tx, search: string, claimId?: string): Promise<PayableClaim[]> {
  const like = containing(search)
  return tx.rows(sql`
    select c.id, c.number, m.first_name || ' ' || m.last_name as "memberName", p.number as "policyNumber", g.name as "groupName",
      c.approved_amount_cents as "approvedCents", c.final_approval_at as "approvedAt"
    ${payable}
      and ${claimId ? sql`c.id = ${claimId}` : sql`true`}
      and ${search ? sql`(lower(c.number) like ${like} or lower(m.first_name || ' ' || m.last_name) like ${like} or lower(g.name) like ${like})` : sql`true`}
    order by c.final_approval_at, c.number limit 50`)
}

/** A claim to be paid, locked so that it stays payable until the commit; undefined when there is nothing to pay. */
export async function claimToPay(tx: Tx, claimId: string) {
  await tx.rows(sql`select from claims where id = ${claimId} for update`)
  return tx.row<{ groupId: string; policyId: string; number: string; approvedCents: number }>(sql`
    select c.group_id as "groupId", c.policy_id as "policyId", c.number, c.approved_amount_cents as "approvedCents"
    ${payable} and c.id = ${claimId}`)
}
