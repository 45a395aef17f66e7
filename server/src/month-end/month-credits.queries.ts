import { type Day, lastOfMonth } from "@milkwood/domain/kernel/calendar"
import { monthCreditsList } from "@milkwood/domain/month-end/month-credits.list"
import { type MonthCreditRow, monthEndContract } from "@milkwood/domain/month-end/month-end.contract"
import { hasPermission } from "@milkwood/domain/platform/permission"
import { type SQL, sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { query } from "../platform/calls/commands.ts"
import { matchesPattern } from "../platform/database/like.ts"
import { List } from "../platform/lists/list.ts"
import { isUnallocatedSql, unallocatedCents } from "../receipts/credit.queries.ts"
import { requestedMonth } from "./month-policies.queries.ts"

/** Receipts up to a day with an unallocated amount; `state` is "kept" if it is deliberate credit. */
export const creditsUpTo = (day: Day): SQL => sql`
  select r.id, r.number, r.policy_id, r.group_id, r.received_on, r.amount_cents,
    ${unallocatedCents} as credit_cents, k.reason, k.held_by,
    case when k.id is null then 'open' else 'kept' end as state
  from receipts r left join held_credits k on k.receipt_id = r.id and k.released_at is null
  where ${isUnallocatedSql} and r.received_on <= ${day}::date`

export const monthCredits = new List<typeof monthCreditsList, MonthCreditRow>(monthCreditsList, {
  select: ({ today }, { month }) => sql`
    select c.id, c.number, p.number as "policyNumber", g.name as "groupName", c.received_on as "receivedOn",
      c.amount_cents as "amountCents", c.credit_cents as "creditCents", c.state, c.reason, u.name as "heldByName",
      lower(c.number) as _number, lower(g.name) as _group, lower(p.number) as _policy
    from (${creditsUpTo(lastOfMonth(requestedMonth(month, today)))}) c
    left join policies p on p.id = c.policy_id
    left join employer_groups g on g.id = c.group_id
    left join users u on u.id = c.held_by`,
  // Materialised, because few receipts have an unallocated amount.
  materialized: true,
  search: (pattern) => [
    { like: matchesPattern(sql`s._number`, pattern) },
    { like: matchesPattern(sql`s._group`, pattern) },
    { like: matchesPattern(sql`s._policy`, pattern) },
  ],
  sortColumns: { number: ["_number"], groupName: ["_group", "_policy"] },
  filters: { month: () => sql`true` },
  present: (row: Omit<MonthCreditRow, "allowedActions">, { actor }) => ({
    ...row,
    allowedActions: !hasPermission(ruleActor(actor).role, "monthEnd.write")
      ? []
      : row.state === "kept"
        ? ["takeBack"]
        : ["keep"],
  }),
})

export const listMonthCredits = query(monthEndContract.credits, (cx) => monthCredits.page(cx, cx.input))
