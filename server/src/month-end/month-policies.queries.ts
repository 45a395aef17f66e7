import { addMonths, type Day, firstOfMonth } from "@milkwood/domain/kernel/calendar"
import { type MonthPolicyRow, monthEndContract } from "@milkwood/domain/month-end/month-end.contract"
import { monthPoliciesList } from "@milkwood/domain/month-end/month-policies.list"
import { hasPermission } from "@milkwood/domain/platform/permission"
import { type SQL, sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { query } from "../platform/calls/commands.ts"
import { matchesPattern } from "../platform/database/like.ts"
import { List } from "../platform/lists/list.ts"

/** The first day of the requested month; default: the last complete month. */
export const requestedMonth = (month: string | undefined, today: Day): Day =>
  month === undefined ? addMonths(firstOfMonth(today), -1) : `${month}-01`

/**
 * Policies active on the first day of a month and billed in Milkwood by then, without suspended ones. Each has the
 * invoice that bills the month, or its excuse. The invoice is the month's own, or a later one whose lines include the
 * missed month.
 */
export const monthPoliciesSql = (month: Day): SQL => sql`
  select p.id as policy_id, p.group_id, coalesce(own.id, later.id) as invoice_id, coalesce(own.number, later.number) as invoice_number, e.reason, e.excused_by,
    case when coalesce(own.id, later.id) is not null then 'billed' when e.id is not null then 'excused' else 'open' end as state
  from policies p
  join policy_periods a on a.policy_id = p.id and a.kind = 'active' and a.superseded_at is null and a.valid @> ${month}::date
  left join lateral (
    select id, number from invoices i where i.policy_id = p.id and i.kind = 'premium' and i.status <> 'cancelled'
      and i.credited_whole_at is null and daterange(i.period_start_on, i.period_end_on, '[]') @> ${month}::date limit 1
  ) own on true
  left join lateral (
    select i.id, i.number from invoices i where own.id is null and i.policy_id = p.id and i.status <> 'cancelled'
      and i.credited_whole_at is null and coalesce(i.period_start_on > ${month}::date, true)
      and exists (select from invoice_lines l where l.invoice_id = i.id and l.billed_month = ${month}::date)
    order by i.created_at, i.id limit 1
  ) later on true
  left join month_excuses e on e.policy_id = p.id and e.month = ${month}::date and e.withdrawn_at is null
  where not exists (select from policy_periods s where s.policy_id = p.id and s.kind = 'suspended'
      and s.superseded_at is null and s.valid @> ${month}::date)
    and not exists (select from policy_billed_from b where b.policy_id = p.id and b.superseded_at is null and b.month > ${month}::date)`

export const monthPolicies = new List<typeof monthPoliciesList, MonthPolicyRow>(monthPoliciesList, {
  select: ({ today }, { month }) => sql`
    select o.policy_id as id, o.policy_id as "policyId", p.number as "policyNumber", g.name as "groupName", o.state,
      o.invoice_id as "invoiceId", o.invoice_number as "invoiceNumber", case when o.state = 'excused' then o.reason end as reason,
      case when o.state = 'excused' then u.name end as "excusedByName",
      exists (select from closed_months where month >= ${requestedMonth(month, today)}::date and reopened_at is null) as "_isClosed",
      lower(g.name) as _group, lower(p.number) as _policy
    from (${monthPoliciesSql(requestedMonth(month, today))}) o
    left join policies p on p.id = o.policy_id
    left join employer_groups g on g.id = o.group_id
    left join users u on u.id = o.excused_by`,
  // Materialised, because every page needs all policies.
  materialized: true,
  search: (pattern) => [
    { like: matchesPattern(sql`s._group`, pattern) },
    { like: matchesPattern(sql`s._policy`, pattern) },
  ],
  sortColumns: { groupName: ["_group", "_policy"], policyNumber: ["_policy"] },
  // `select` already applies the month.
  filters: { month: () => sql`true` },
  present: ({ _isClosed, ...row }: Omit<MonthPolicyRow, "allowedActions"> & { _isClosed: boolean }, { actor }) => ({
    ...row,
    allowedActions: actionsOf(row.state, !_isClosed && hasPermission(ruleActor(actor).role, "monthEnd.write")),
  }),
})

function actionsOf(state: MonthPolicyRow["state"], mayWrite: boolean): MonthPolicyRow["allowedActions"] {
  if (!mayWrite || state === "billed") return []
  return state === "excused" ? ["takeBack"] : ["excuse"]
}

export const listMonthPolicies = query(monthEndContract.policies, (cx) => monthPolicies.page(cx, cx.input))
