import { allowedPayoutActions, type PayoutPreparation } from "@milkwood/domain/payouts/payout"
import { type PayoutRow, payoutsContract } from "@milkwood/domain/payouts/payouts.contract"
import { payoutsList } from "@milkwood/domain/payouts/payouts.list"
import { payoutsSettings } from "@milkwood/domain/payouts/payouts-settings"
import { sql } from "drizzle-orm"
import { waitingForPayment } from "../claims/payable-claims.queries.ts"
import { membersNamed } from "../members/members.queries.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { query } from "../platform/calls/commands.ts"
import { has } from "../platform/database/like.ts"
import { List, sumOf } from "../platform/lists/list.ts"
import { type Own, ownColumns, type SourceCx } from "../platform/lists/source.ts"
import { readSettings } from "../platform/settings/store.ts"

type StoredRow = Omit<PayoutRow, "allowedActions"> & {
  _preparedBy: PayoutPreparation["preparedBy"]
  _payeeChangedBy: PayoutPreparation["payeeChangedBy"]
}

const own: Own = {
  table: "payouts o",
  columns: {
    id: "o.id",
    number: "o.number",
    memberId: "o.member_id",
    policyId: "o.policy_id",
    subject: "jsonb_build_object('kind', o.subject_kind, 'id', o.subject_id, 'label', o.subject_label)",
    amountCents: "o.amount_cents",
    method: "o.method",
    reference: "o.reference",
    status: "o.status",
    completedOn: "o.completed_on",
    returnedOn: "o.returned_on",
    createdAt: "o.created_at",
    version: "o.version",
    _preparedBy: "o.prepared_by",
    _payeeChangedBy: "o.payee_changed_by",
    _needsAction: "(o.status in ('pending', 'processing', 'failed'))",
    _number: "lower(o.number)",
    _reference: "lower(o.reference)",
    _subject: "lower(o.subject_label)",
  },
}

export const payouts = new List<typeof payoutsList, PayoutRow>(payoutsList, {
  own,
  select: () => sql`
    select ${ownColumns(own)}, m.first_name || ' ' || m.last_name as "memberName", p.number as "policyNumber",
      g.name as "groupName", m.last_name_key as "_lastName", m.name_key as _name, lower(g.name) as _group
    from payouts o
    left join members m on m.id = o.member_id
    left join policies p on p.id = o.policy_id
    left join employer_groups g on g.id = o.group_id`,
  search: (pattern, { actor }) => [
    { like: has(sql`s._number`, pattern) },
    { like: has(sql`s._reference`, pattern) },
    { like: has(sql`s._subject`, pattern) },
    { like: has(sql`s._name`, pattern), by: { column: "memberId", ids: membersNamed(pattern, actor) } },
    { like: has(sql`s._group`, pattern) },
  ],
  order: {
    memberName: ["_lastName", "_name"],
    createdAt: ["createdAt", "number"],
    needsAction: ["_needsAction", "createdAt", "number"],
  },
  emptyLast: ["completedOn"],
  present: (row: StoredRow, { actor, releaseLimitCents }: SourceCx & { releaseLimitCents: number }) => {
    const facts = { ...row, preparedBy: row._preparedBy, payeeChangedBy: row._payeeChangedBy }
    return { ...row, allowedActions: allowedPayoutActions(facts, ruleActor(actor), releaseLimitCents) }
  },
})

/** The list, with what waits for a payment beside what is on its way. */
export const listPayouts = query(payoutsContract.list, async (cx) => {
  const [waiting, { releaseLimitCents }] = await Promise.all([
    waitingForPayment(cx.tx),
    readSettings(cx.tx, payoutsSettings),
  ])
  const { figures, ...answer } = await payouts.answer(cx, cx.input, { releaseLimitCents })
  const of = (...statuses: string[]) =>
    figures && { count: sumOf(figures, statuses, "count"), cents: sumOf(figures, statuses, "amountCents") }
  const cards = { waiting, underway: of("pending", "processing", "failed"), completed: of("completed") }
  return { ...answer, cards }
})
