import { hasPermission } from "@milkwood/domain/platform/permission"
import { refundActionsFor, refundReasonNames } from "@milkwood/domain/refunds/refund"
import { type RefundRow, refundsContract } from "@milkwood/domain/refunds/refunds.contract"
import { refundsList } from "@milkwood/domain/refunds/refunds.list"
import { sql } from "drizzle-orm"
import { findMembersByName } from "../members/members.queries.ts"
import { isWaitingForRelease } from "../payouts/payouts.queries.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { query } from "../platform/calls/commands.ts"
import { matchesPattern, matchesWords, wordPatterns } from "../platform/database/like.ts"
import { List } from "../platform/lists/list.ts"
import type { SourceCx } from "../platform/lists/source.ts"

const reasonNamesSql = sql.join(
  Object.entries(refundReasonNames).map(([reason, name]) => sql`when ${reason} then ${name.toLowerCase()}`),
  sql` `,
)

export const refunds = new List<typeof refundsList, RefundRow>(refundsList, {
  select: () => sql`
    select f.id, f.number, f.policy_id as "policyId", p.number as "policyNumber", g.name as "groupName",
      f.member_id as "memberId", m.first_name || ' ' || m.last_name as "memberName", f.amount_cents as "amountCents", f.method,
      f.reason, f.period_from_on as "periodFromOn", f.period_to_on as "periodToOn", f.reference, f.status,
      f.refunded_on as "refundedOn", o.id as "payoutId", f.version, f.policy_id as "_policyId", lower(p.number) as _policy,
      lower(f.reference) as _reference, m.name_key as _name, lower(f.number) as _number,
      case f.reason ${reasonNamesSql} end as _reason
    from refunds f
    left join policies p on p.id = f.policy_id
    left join employer_groups g on g.id = f.group_id
    left join members m on m.id = f.member_id
    left join payouts o on o.subject_id = f.id and o.subject_kind = 'refund'`,
  search: (pattern, { actor }, text) => [
    { like: matchesPattern(sql`s._number`, pattern) },
    { like: matchesPattern(sql`s._policy`, pattern) },
    { like: matchesPattern(sql`s._reference`, pattern) },
    {
      like: matchesWords(sql`s._name`, wordPatterns(text)),
      by: { column: "memberId", ids: findMembersByName(text, actor) },
    },
    { like: matchesPattern(sql`s._reason`, pattern) },
  ],
  sortColumns: { refundedOn: ["refundedOn nulls last"] },
  filters: {
    forMe: (_: true, { actor }) =>
      sql`s."payoutId" in (select o.id from payouts o where ${isWaitingForRelease(actor)})`,
  },
  present: (row: Omit<RefundRow, "allowedActions">, { actor }: SourceCx) => ({
    ...row,
    allowedActions: refundActionsFor(row, hasPermission(ruleActor(actor).role, "payouts.write")),
  }),
})

export const listRefunds = query(refundsContract.list, async (cx) => {
  const { figures: _, ...answer } = await refunds.answer(cx, cx.input)
  const cards = await cx.tx.row<{ pending: never; completed: never; total: number }>(sql`
    select jsonb_build_object('count', count(*) filter (where status in ('pending', 'processing')),
        'cents', coalesce(sum(amount_cents) filter (where status in ('pending', 'processing')), 0)) as pending,
      jsonb_build_object('count', count(*) filter (where status = 'completed'),
        'cents', coalesce(sum(amount_cents) filter (where status = 'completed'), 0)) as completed,
      count(*)::int as total
    from refunds`)
  return { ...answer, cards: cards! }
})
