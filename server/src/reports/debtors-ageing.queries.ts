import { ageBucketDays, ageBuckets } from "@milkwood/domain/billing/ageing"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { debtorsAgeingList } from "@milkwood/domain/reports/debtors-ageing.list"
import { type AgeingRow, reportsContract } from "@milkwood/domain/reports/reports.contract"
import { type SQL, sql } from "drizzle-orm"
import { query } from "../platform/calls/commands.ts"
import { matchesPattern } from "../platform/database/like.ts"
import { List } from "../platform/lists/list.ts"
import { creditOnDaySql, owedOnDaySql } from "./debt.ts"

const amountColumns = [...ageBuckets, "totalCents", "creditCents"]

const ageBucketColumns = (asOf: Day): SQL[] =>
  ageBuckets.map((bucket) => {
    const { from, to } = ageBucketDays[bucket]
    const overdue = sql`(${asOf}::date - due_on)`
    const within = sql`${from === null ? sql`true` : sql`${overdue} >= ${from}::int`} and ${to === null ? sql`true` : sql`${overdue} <= ${to}::int`}`
    return sql`coalesce(sum(owed) filter (where ${within}), 0)::bigint as ${sql.identifier(bucket)}`
  })

export const owedByAge = (asOf: Day): SQL =>
  sql`select ${sql.join(ageBucketColumns(asOf), sql`, `)} from ${owedOnDaySql(asOf)} debt where owed > 0`

export const debtorsAgeing = new List<typeof debtorsAgeingList, AgeingRow>(debtorsAgeingList, {
  select: ({ today }, asked) => {
    const { asOf = today } = asked as { asOf?: Day }
    const figures = ["invoices", ...amountColumns].map(
      (name) => sql`coalesce(${sql.identifier(name)}, 0)::bigint as ${sql.identifier(name)}`,
    )
    return sql`
    select p.id, p.id as "policyId", p.number as "policyNumber", g.name as "groupName", d."oldestDueOn",
      ${sql.join(figures, sql`, `)},
      lower(p.number) as _policy, lower(g.name) as _group, coalesce(d."oldestDueOn" < ${asOf}::date, false) as _overdue
    from (
      select policy_id, count(*) as invoices, min(due_on) as "oldestDueOn", sum(owed)::bigint as "totalCents",
        ${sql.join(ageBucketColumns(asOf), sql`, `)}
      from ${owedOnDaySql(asOf)} debt where owed > 0 group by policy_id
    ) d full join (
      select policy_id, sum(cents)::bigint as "creditCents"
      from ${creditOnDaySql(asOf)} credit group by policy_id having sum(cents) > 0
    ) c using (policy_id)
    join policies p on p.id = policy_id join employer_groups g on g.id = p.group_id`
  },
  materialized: true,
  search: (pattern) => [
    { like: matchesPattern(sql`s._group`, pattern) },
    { like: matchesPattern(sql`s._policy`, pattern) },
  ],
  sortColumns: { groupName: ["_group", "_policy"], policyNumber: ["_policy"], oldestDueOn: ["oldestDueOn nulls last"] },
  present: (row: AgeingRow) => row,
})

export const readDebtorsAgeing = query(
  reportsContract.debtorsAgeing,
  async (cx) => ({ ...(await debtorsAgeing.page(cx, cx.input)), asOf: cx.input.asOf ?? cx.today }),
  { heavy: true },
)
