import type { Day } from "@milkwood/domain/kernel/calendar"
import { hasPermission } from "@milkwood/domain/platform/permission"
import {
  reconciliationStatuses,
  resolutionNames,
  resolutions,
  resolutionsOf,
} from "@milkwood/domain/reconciliation/reconciliation"
import { type ReconciliationRow, reconciliationContract } from "@milkwood/domain/reconciliation/reconciliation.contract"
import { reconciliationList } from "@milkwood/domain/reconciliation/reconciliation.list"
import { type SQL, sql } from "drizzle-orm"
import { openCents } from "../billing/invoice-money.ts"
import { type Actor, ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query } from "../platform/calls/commands.ts"
import { matchesPattern } from "../platform/database/like.ts"
import { List, sumOf } from "../platform/lists/list.ts"
import { idOf, omitInternalColumns } from "../platform/lists/list-rows.ts"
import { isUnallocatedSql, unallocatedCents } from "../receipts/credit.queries.ts"

export const monthOfDay = (day: SQL) => sql`date_trunc('month', ${day})::date`

type MonthsRequest = { month?: string | undefined; groupId?: string | undefined }

export function monthsSql({ month, groupId }: MonthsRequest, today: Day): SQL {
  const narrowed = (of: "i" | "r", day: SQL) => {
    const own = groupId ? sql`and ${sql.raw(of)}.group_id = any (${sql.param(groupId.split(","))}::uuid[])` : sql``
    const within = month
      ? sql`and ${day} >= ${`${month}-01`}::date and ${day} < (${`${month}-01`}::date + interval '1 month')`
      : sql``
    return sql`${own} ${within}`
  }
  return sql`
    select group_id, month, sum(expected)::bigint as "expectedCents", sum(received)::bigint as "receivedCents",
      sum(not_due)::bigint as "notDueCents"
    from (
      select i.group_id, ${monthOfDay(sql`i.period_start_on`)} as month, i.total_cents - i.credited_cents as expected,
        i.allocated_cents as received, case when i.due_on >= ${today}::date then ${openCents} else 0 end as not_due
      from invoices i
      where i.status = 'sent' and i.period_start_on is not null ${narrowed("i", sql`i.period_start_on`)}
      union all
      select r.group_id, ${monthOfDay(sql`r.received_on`)}, 0, ${unallocatedCents}, 0
      from receipts r
      where ${isUnallocatedSql} ${narrowed("r", sql`r.received_on`)}
    ) moved group by group_id, month
    having sum(expected) <> 0 or sum(received) <> 0`
}

const differenceSql = sql`(m."receivedCents" - m."expectedCents")`

const resolutionNameCases = sql.join(
  resolutions.map((kind) => sql`when ${kind} then ${resolutionNames[kind]}`),
  sql` `,
)

const monthRowId = idOf(sql`m.group_id::text || m.month::text`)

const isNotDue = sql`(${differenceSql} < 0 and -${differenceSql} <= m."notDueCents")`

const monthRowsSql = (asked: MonthsRequest, today: Day) => sql`
  select ${monthRowId} as id, m.group_id as "groupId", g.name as "groupName", m.month,
    m."expectedCents", m."receivedCents", m."notDueCents", ${differenceSql} as "differenceCents",
    case when ${differenceSql} = 0 then 'Matched' when ${differenceSql} > 0 then 'Excess'
      when ${isNotDue} then 'Not due' when m."receivedCents" = 0 then 'Missing' else 'Shortage' end as status,
    case when r.kind is null then '' else (case r.kind ${resolutionNameCases} end) || ': ' || r.note
      || case when ${differenceSql} not in (0, r.difference_cents) then ' (the difference has changed since)' else '' end
      end as notes,
    case when r.difference_cents = ${differenceSql} then r.resolved_at end as _resolved,
    m.group_id as "_groupId", lower(g.name) as "_group",
    ${differenceSql} <> 0 and not ${isNotDue} and r.difference_cents is distinct from ${differenceSql} as _unresolved
  from (${monthsSql(asked, today)}) m
  left join employer_groups g on g.id = m.group_id
  left join (
    select distinct on (group_id, month) group_id, month, kind, note, resolved_at, difference_cents from month_resolutions
    order by group_id, month, resolved_at desc
  ) r on r.group_id = m.group_id and r.month = m.month`

const reconciledOn = ({ timezone }: Pick<Cx, "timezone">) => sql`
  case when s.status <> 'Matched' then (s._resolved at time zone ${timezone})::date else (
    select max(a.allocated_on) from invoices i join receipt_allocations a on a.invoice_id = i.id
    where i.group_id = s."groupId" and i.status = 'sent' and i.period_start_on >= s.month
      and i.period_start_on < (s.month + interval '1 month')) end`

type StoredMonthRow = Omit<ReconciliationRow, "allowedActions">

const presentMonthRow = (actor: Actor, row: StoredMonthRow): ReconciliationRow => ({
  ...row,
  allowedActions: resolutionsOf(row, hasPermission(ruleActor(actor).role, "collection.write")),
})

export const reconciliation = new List<typeof reconciliationList, ReconciliationRow>(reconciliationList, {
  select: ({ today }, asked) => monthRowsSql(asked, today),
  pageColumns: (cx) => ({ reconciledOn: reconciledOn(cx) }),
  // Totals need all rows on every page.
  materialized: true,
  search: (pattern) => [{ like: matchesPattern(sql`s._group`, pattern) }],
  sortColumns: { groupName: ["_group"] },
  // `select` already applies the month.
  filters: { month: () => sql`true` },
  present: (row: StoredMonthRow, { actor }) => presentMonthRow(actor, row),
})

export const listMonths = query(reconciliationContract.list, async (cx) => {
  const { figures, ...answer } = await reconciliation.answer(cx, cx.input)
  const of = (name: string) => sumOf(figures, reconciliationStatuses, name)
  const [expectedCents, receivedCents] = [of("expectedCents"), of("receivedCents")]
  return {
    ...answer,
    cards: figures && { expectedCents, receivedCents, differenceCents: receivedCents - expectedCents },
  }
})

export async function readMonthRow(cx: Cx, groupId: string, month: Day): Promise<ReconciliationRow | null> {
  const found = await cx.tx.row<StoredMonthRow>(
    sql`select s.*, ${reconciledOn(cx)} as "reconciledOn" from (${monthRowsSql({ groupId, month: month.slice(0, 7) }, cx.today)}) s`,
  )
  return found ? presentMonthRow(cx.actor, omitInternalColumns(found) as StoredMonthRow) : null
}
