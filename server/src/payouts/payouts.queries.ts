import type { Cents } from "@milkwood/domain/kernel/money"
import { payeeWaitUntil } from "@milkwood/domain/payouts/payee-guard"
import { allowedPayoutActions, type PayoutSubject } from "@milkwood/domain/payouts/payout"
import type { PayoutDetail } from "@milkwood/domain/payouts/payouts.contract"
import { payoutsSettings } from "@milkwood/domain/payouts/payouts-settings"
import { type SQL, sql } from "drizzle-orm"
import { type Actor, ruleActor } from "../platform/calls/actor.ts"
import { type Cx, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { readSettings } from "../platform/settings/store.ts"
import { timeline } from "../platform/trail/facts.ts"

export type PayoutGuard = Parameters<typeof allowedPayoutActions>[0]

export const guardSql = (o: SQL): SQL => sql`jsonb_build_object('status', ${o}.status, 'amountCents', ${o}.amount_cents,
  'preparedBy', ${o}.prepared_by, 'createdBy', ${o}.created_by, 'createdAt', ${o}.created_at, 'formerPayee', ${o}.former_payee,
  'payeeChangedBy', ${o}.payee_changed_by, 'payeeChangedAt', ${o}.payee_changed_at, 'payeeConfirmedBy', ${o}.payee_confirmed_by,
  'batchStatus', (select b.status from payout_batch_payments i join payout_batches b on b.id = i.batch_id
    where i.payout_id = ${o}.id and i.removed_at is null))`

/**
 * Payout `o` awaits the actor's release: another user prepared it and it is in no batch. Ignores the release limit of
 * `canRelease`.
 */
export function isWaitingForRelease(actor: Actor): SQL {
  const { userId } = ruleActor(actor)
  return sql`o.status = 'pending' and ${userId}::uuid <> all (o.prepared_by) and o.payee_changed_by is distinct from ${userId}::uuid
    and not exists (select from payout_batch_payments i where i.payout_id = o.id and i.removed_at is null)`
}

const payoutsFrom = sql`
  from payouts o
  left join members m on m.id = o.member_id
  join policies p on p.id = o.policy_id
  join employer_groups g on g.id = o.group_id`

const row = sql`
  o.id, o.number, jsonb_build_object('kind', o.subject_kind, 'id', o.subject_id, 'label', o.subject_label) as subject, m.id as "memberId",
  m.first_name || ' ' || m.last_name as "memberName", o.payee_name as "payeeName", p.id as "policyId", p.number as "policyNumber", g.name as "groupName", o.amount_cents as "amountCents", o.method, o.reference, o.status,
  o.completed_on as "completedOn", o.returned_on as "returnedOn", o.created_at as "createdAt", o.version, ${guardSql(sql`o`)} as guard`

/** NOT_FOUND if there is none. */
export async function payoutDetail(cx: Cx, payoutId: string): Promise<PayoutDetail> {
  const found = await cx.tx.row<
    Omit<PayoutDetail, "timeline" | "allowedActions" | "payeeWaitsUntil"> & { guard: PayoutGuard }
  >(sql`
    select ${row}, o.notes, o.payee_bank as "payeeBank", o.payee_branch_code as "payeeBranchCode",
      o.payee_account_number as "payeeAccountNumber", o.payee_email as "payeeEmail", o.former_payee as "formerPayee",
      confirmer.name as "payeeConfirmedByName", maker.name as "createdByName", releaser.name as "releasedByName",
      o.released_at as "releasedAt", o.status_reason as "statusReason",
      (select jsonb_build_object('id', b.id, 'number', b.number, 'status', b.status, 'endToEndId', i.end_to_end_id)
        from payout_batch_payments i join payout_batches b on b.id = i.batch_id
        where i.payout_id = o.id and i.removed_at is null) as batch
    ${payoutsFrom}
    left join users maker on maker.id = o.created_by
    left join users releaser on releaser.id = o.released_by
    left join users confirmer on confirmer.id = o.payee_confirmed_by
    where o.id = ${payoutId}`)
  if (!found) throw refused("NOT_FOUND")
  const { guard, ...shown } = found
  const settings = await readSettings(cx.tx, payoutsSettings)
  return {
    ...shown,
    payeeWaitsUntil: payeeWaitUntil(guard, settings.payeeWaitHours)?.toString() ?? null,
    allowedActions: allowedPayoutActions(guard, ruleActor(cx.actor), { ...settings, now: cx.now }),
    timeline: await timeline(cx, "payout", payoutId),
  }
}

type SubjectKind = PayoutSubject["kind"]

/** `id`: the caller's column with the id of the claim or refund. */
export function hasPayout(kind: SubjectKind, id: SQL): SQL {
  return sql`exists (select from payouts o where o.subject_kind = ${kind} and o.subject_id = ${id})`
}

export function hasCompletedPayout(kind: SubjectKind, id: SQL): SQL {
  return sql`exists (
    select from payouts o where o.subject_kind = ${kind} and o.subject_id = ${id} and o.status = 'completed')`
}

/** Whether the claim or refund has a pending or processing payout; it has at most one. */
export function hasLivePayout(kind: SubjectKind, id: SQL): SQL {
  return sql`exists (
    select from payouts o where o.subject_kind = ${kind} and o.subject_id = ${id} and o.status in ('pending', 'processing', 'failed'))`
}

/** Cents of completed payments for a claim or refund. */
export async function sumPaidFor(tx: Tx, kind: SubjectKind, id: string): Promise<Cents> {
  const found = await tx.row<{ cents: Cents }>(sql`
    select coalesce(sum(amount_cents), 0)::bigint as cents from payouts
    where subject_kind = ${kind} and subject_id = ${id} and status = 'completed'`)
  return found!.cents
}

export async function findOpenBatchOf({ tx }: Pick<Cx, "tx">, payoutId: string): Promise<string | undefined> {
  const found = await tx.row<{ number: string }>(sql`
    select b.number from payout_batch_payments i join payout_batches b on b.id = i.batch_id
    where i.payout_id = ${payoutId} and i.removed_at is null and b.status = 'open'`)
  return found?.number
}
