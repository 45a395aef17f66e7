import type { Cents } from "@milkwood/domain/kernel/money"
import { allowedPayoutActions, type PayoutPreparation, type PayoutSubject } from "@milkwood/domain/payouts/payout"
import type { PayoutDetail, PayoutRow } from "@milkwood/domain/payouts/payouts.contract"
import { payoutsSettings } from "@milkwood/domain/payouts/payouts-settings"
import { type SQL, sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { readSettings } from "../platform/settings/store.ts"
import { timeline } from "../platform/trail/facts.ts"

type StoredRow = Omit<PayoutRow, "allowedActions"> & Pick<PayoutPreparation, "preparedBy" | "payeeChangedBy">

const fromPayouts = sql`
  from payouts o
  left join members m on m.id = o.member_id
  join policies p on p.id = o.policy_id
  join employer_groups g on g.id = o.group_id`

const row = sql`
  o.id, o.number, jsonb_build_object('kind', o.subject_kind, 'id', o.subject_id, 'label', o.subject_label) as subject, m.id as "memberId",
  m.first_name || ' ' || m.last_name as "memberName", p.id as "policyId", p.number as "policyNumber", g.name as "groupName", o.amount_cents as "amountCents", o.method, o.reference, o.status,
  o.completed_on as "completedOn", o.returned_on as "returnedOn", o.created_at as "createdAt", o.version, o.prepared_by as "preparedBy", o.payee_changed_by as "payeeChangedBy"`

/** One payment with everything around it. Refuses NOT_FOUND. */
export async function payoutDetail(cx: Cx, payoutId: string): Promise<PayoutDetail> {
  const found = await cx.tx.row<
    Omit<PayoutDetail, "timeline" | "allowedActions"> & Pick<PayoutPreparation, "preparedBy" | "payeeChangedBy">
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

type SubjectKind = PayoutSubject["kind"]

/** Whether a subject has a payout; for rooms to the right, whose column is its id. */
export function hasPayout(kind: SubjectKind, id: SQL): SQL {
  return sql`exists (select from payouts o where o.subject_kind = ${kind} and o.subject_id = ${id})`
}

/** Whether a subject has a payout that waits or is on its way: it has at most one of these at a time. */
export function hasLivePayout(kind: SubjectKind, id: SQL): SQL {
  return sql`exists (
    select from payouts o where o.subject_kind = ${kind} and o.subject_id = ${id} and o.status in ('pending', 'processing', 'failed'))`
}

/** What was paid for a subject or is on its way, in cents: everything that was not called off and did not come back. */
export async function paidOrUnderway(tx: Tx, kind: SubjectKind, id: string): Promise<Cents> {
  const found = await tx.row<{ cents: Cents }>(sql`
    select coalesce(sum(amount_cents), 0)::bigint as cents from payouts
    where subject_kind = ${kind} and subject_id = ${id} and status not in ('cancelled', 'returned')`)
  return found!.cents
}
