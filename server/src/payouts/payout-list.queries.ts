import { allowedPayoutActions } from "@milkwood/domain/payouts/payout"
import { type PayoutRow, payoutsContract } from "@milkwood/domain/payouts/payouts.contract"
import { type PaidFor, payoutsList } from "@milkwood/domain/payouts/payouts.list"
import { payoutsSettings } from "@milkwood/domain/payouts/payouts-settings"
import { may, type RuleActor } from "@milkwood/domain/platform/permission"
import { sql } from "drizzle-orm"
import { groupsNamed } from "../employers/employers.queries.ts"
import { membersNamed, membersNumbered } from "../members/members.queries.ts"
import { type Actor, ruleActor } from "../platform/calls/actor.ts"
import { query } from "../platform/calls/commands.ts"
import { has, hasWords, wordPatterns } from "../platform/database/like.ts"
import { List, sumOf } from "../platform/lists/list.ts"
import { type Compared, type Own, ownColumns, type SourceCx } from "../platform/lists/source.ts"
import { readSettings } from "../platform/settings/store.ts"
import { claimsToPay, waitingForPayment } from "./payouts.ports.ts"
import { guardOf, type PayoutGuard, waitsForRelease } from "./payouts.queries.ts"

type StoredRow = Omit<PayoutRow, "allowedActions"> & { _guard: PayoutGuard | null }
const ofWaiting = ({ role }: RuleActor): PayoutRow["allowedActions"] => (may(role, "payouts.write") ? ["process"] : [])
type Asking = SourceCx & Parameters<typeof allowedPayoutActions>[2]

// The list shows payments, and claims that wait for one. Each branch has the columns of the indexes, so that PostgreSQL
// merges both in the order of a page.
const ownTable = () => `(
      select id, number, subject_kind, subject_id, subject_label, member_id, policy_id, group_id, amount_cents, method, reference,
        status, completed_on, returned_on, created_at, version, status in ('pending', 'processing', 'failed') as needs_action
      from payouts
      union all
      ${claimsToPay()}
    ) o`

const columns: Own["columns"] = {
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
  _needsAction: "o.needs_action",
  _groupId: "o.group_id",
  _number: "lower(o.number)",
  _reference: "lower(o.reference)",
  _subject: "lower(o.subject_label)",
}

function ofMembersNumbered(text: string, actor: Actor): Compared[] {
  const ids = membersNumbered(text, actor)
  return ids ? [{ like: sql`s."memberId" in (${ids()})`, by: { column: "memberId", ids } }] : []
}

const paidFor: Record<PaidFor, string> = {
  claims: "where o.subject_kind = 'claim'",
  refunds: "where o.subject_kind = 'refund'",
  all: "",
}

const listOf = (what: PaidFor) =>
  new List<typeof payoutsList, PayoutRow>(payoutsList, {
    own: {
      get table() {
        return `${ownTable()} ${paidFor[what]}`
      },
      columns,
    },
    union: true,
    select: () => sql`
    select ${ownColumns({ columns })}, m.first_name || ' ' || m.last_name as "memberName", p.number as "policyNumber",
      g.name as "groupName", m.last_name_key as "_lastName", m.name_key as _name, lower(g.name) as _group
    from ${sql.raw(ownTable())}
    left join members m on m.id = o.member_id
    left join policies p on p.id = o.policy_id
    left join employer_groups g on g.id = o.group_id
    ${sql.raw(paidFor[what])}`,
    search: (pattern, { actor }, text) => [
      { like: has(sql`s._number`, pattern) },
      { like: has(sql`s._reference`, pattern) },
      { like: has(sql`s._subject`, pattern) },
      { like: hasWords(sql`s._name`, wordPatterns(text)), by: { column: "memberId", ids: membersNamed(text, actor) } },
      ...ofMembersNumbered(text, actor),
      { like: has(sql`s._group`, pattern), by: { column: "_groupId", ids: groupsNamed(pattern) } },
    ],
    order: {
      memberName: ["_lastName", "_name"],
      createdAt: ["createdAt", "number"],
      needsAction: ["_needsAction", "createdAt", "number"],
    },
    emptyLast: ["completedOn"],
    filters: {
      forMe: (_: true, { actor }) => sql`s.id in (select o.id from payouts o where ${waitsForRelease(actor)})`,
    },
    page: () => sql`(select ${guardOf(sql`o`)} from payouts o where o.id = s.id) as _guard`,
    present: ({ _guard, ...row }: StoredRow, { actor, ...asking }: Asking) => ({
      ...row,
      allowedActions: _guard ? allowedPayoutActions(_guard, ruleActor(actor), asking) : ofWaiting(ruleActor(actor)),
    }),
  })

const lists = { claims: listOf("claims"), refunds: listOf("refunds"), all: listOf("all") }

export const payouts = lists.claims

export const listPayouts = query(payoutsContract.list, async (cx) => {
  const [waiting, settings] = await Promise.all([waitingForPayment(cx.tx), readSettings(cx.tx, payoutsSettings)])
  const { figures, ...answer } = await lists[cx.input.paidFor].answer(cx, cx.input, { ...settings, now: cx.now })
  const of = (...statuses: string[]) =>
    figures && { count: sumOf(figures, statuses, "count"), cents: sumOf(figures, statuses, "amountCents") }
  const cards = { waiting, underway: of("pending", "processing", "failed"), completed: of("completed") }
  return { ...answer, cards }
})
