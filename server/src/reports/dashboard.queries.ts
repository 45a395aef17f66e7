import { claimTabs } from "@milkwood/domain/claims/claim"
import { sentences } from "@milkwood/domain/facts"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { viewFactTypes } from "@milkwood/domain/platform/look-facts"
import { hasPermission, type PermissionName } from "@milkwood/domain/platform/permission"
import {
  changePercent,
  comparisonOn,
  type DashboardCard,
  dashboardCards,
  monthEndsBefore,
} from "@milkwood/domain/reports/dashboard"
import type { ActivityEntry, Figure } from "@milkwood/domain/reports/reports.contract"
import { type SQL, sql } from "drizzle-orm"
import { activeAtMonthEnd, activeAtMonthEnds, activeToday } from "../members/member-counts.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import type { Cx } from "../platform/calls/commands.ts"
import { type DaySelection, selectEachDay, selectOneDay } from "../platform/database/days.ts"
import { type AnyFact, decryptedDetail, sentence } from "../platform/trail/facts.ts"
import { decidedAt } from "./catalogue/claims.queries.ts"
import { owedOnDaySql, owedSql } from "./debt.ts"

function createCardQueries(timezone: string) {
  const dayOf = (column: string) => sql`(${sql.raw(column)} at time zone ${timezone})::date`
  /** Compares the stored instants directly, so that PostgreSQL uses their index. */
  const begin = (day: SQL) => sql`(${day}::timestamp at time zone ${timezone})`
  const end = (day: SQL) => begin(sql`(${day} + 1)`)
  const undecided = sql.raw(claimTabs.pending.map((status) => `'${status}'`).join(", "))
  return {
    activePolicies: ({
      day,
      joined,
    }: DaySelection) => sql`from policy_periods k join policies p on p.id = k.policy_id ${joined}
      where k.kind = 'active' and k.superseded_at is null and coalesce(p.terminated_on > ${day}, true)
        and (k.valid @> ${day} or (lower(k.valid) > ${day} and ${dayOf("p.activated_at")} <= ${day}
          and not exists (select from policy_periods e
            where e.policy_id = k.policy_id and e.superseded_at is null and lower(e.valid) < lower(k.valid))))`,
    undecidedNow: ({ day, joined }: DaySelection) =>
      sql`from claims c ${joined} where c.status in (${undecided}) and c.submitted_at < ${end(day)}`,
    decidedSince: ({ day, joined }: DaySelection) =>
      sql`from claims c ${joined} where ${decidedAt} >= ${end(day)} and c.submitted_at < ${end(day)}`,
    processed: (first: SQL, { day, joined }: DaySelection) =>
      sql`from claims c ${joined} where ${decidedAt} >= ${begin(first)} and ${decidedAt} < ${end(day)}`,
  }
}

type StoredFigures = Record<DashboardCard, { now: number; before: number; kept: (number | null)[] }>

/** Arrays in month order; null for a missing month. */
const storedMonthsSql = (today: Day): SQL => sql`
  select ${sql.join(
    dashboardCards.map(
      (card) =>
        sql`coalesce(array_agg(k.${sql.identifier(storedColumns[card])} order by m.month_end), '{}') as ${sql.identifier(card)}`,
    ),
    sql`, `,
  )}
  from unnest(${sql.param(monthEndsBefore(today))}::date[]) m (month_end)
  left join (
    select month_end, ${sql.join(
      Object.values(storedColumns).map(
        (column) => sql`sum(${sql.identifier(column)})::bigint as ${sql.identifier(column)}`,
      ),
      sql`, `,
    )}
    from dashboard_month_ends where month_end = any (${sql.param(monthEndsBefore(today))}::date[]) group by month_end
  ) k on k.month_end = m.month_end`

const storedColumns: Record<DashboardCard, string> = {
  activePolicies: "active_policies",
  totalMembers: "total_members",
  pendingClaims: "pending_claims",
  outstandingPremiums: "outstanding_premiums",
  claimsProcessed: "claims_processed",
  overduePayments: "overdue_payments",
}

/** Row-level security limits the figures to the caller's groups. */
export async function readDashboardFigures(cx: Cx): Promise<Record<DashboardCard, Figure>> {
  const { asOf, asOfBefore, from, to, fromBefore, toBefore } = comparisonOn(cx.today)
  const { timezone } = cx
  const { activePolicies, undecidedNow, decidedSince, processed } = createCardQueries(timezone)
  const count = (rows: SQL) => sql`(select count(*) ${rows})`
  const processedFrom = (first: Day, last: Day) => count(processed(sql`${first}::date`, selectOneDay(last)))
  const both = (figure: (day: Day) => SQL) =>
    sql`jsonb_build_object('now', ${figure(asOf)}, 'before', ${figure(asOfBefore)})`

  const found = await cx.tx.row<{
    figures: Omit<StoredFigures, "kept">
    kept: Record<DashboardCard, (number | null)[]>
  }>(sql`
    with debt_now as (select sum(owed)::bigint as cents, count(*) filter (where owed > 0 and due_on < ${asOf}::date) as overdue
      from ${owedOnDaySql(asOf)} debt),
    debt_before as (select sum(owed)::bigint as cents, count(*) filter (where owed > 0 and due_on < ${asOfBefore}::date) as overdue
      from ${owedOnDaySql(asOfBefore)} debt)
    select jsonb_build_object(
      'activePolicies', ${both((day) => count(activePolicies(selectOneDay(day))))},
      'totalMembers', jsonb_build_object('now', ${activeToday}, 'before', ${activeAtMonthEnd(asOfBefore, timezone)}),
      'pendingClaims', ${both((day) => sql`${count(undecidedNow(selectOneDay(day)))} + ${count(decidedSince(selectOneDay(day)))}`)},
      'outstandingPremiums', jsonb_build_object('now', coalesce(debt_now.cents, 0), 'before', coalesce(debt_before.cents, 0)),
      'claimsProcessed', jsonb_build_object('now', ${processedFrom(from, to)}, 'before', ${processedFrom(fromBefore, toBefore)}),
      'overduePayments', jsonb_build_object('now', debt_now.overdue, 'before', debt_before.overdue)
    ) as figures, (select to_jsonb(k) from (${storedMonthsSql(cx.today)}) k) as kept from debt_now, debt_before`)
  return Object.fromEntries(
    dashboardCards.map((card) => {
      const { now, before } = found!.figures[card]
      return [card, { now, before, changePercent: changePercent(now, before), months: [...found!.kept[card], now] }]
    }),
  ) as Record<DashboardCard, Figure>
}

/** Fills in missing month ends of the last eleven months in one pass. */
export async function storeMonthEnds({ tx, today, timezone }: Pick<Cx, "tx" | "today" | "timezone">): Promise<void> {
  const { activePolicies, undecidedNow, decidedSince, processed } = createCardQueries(timezone)
  const missing = await tx.rows<{ day: Day }>(sql`
    select day from unnest(${sql.param(monthEndsBefore(today))}::date[]) day
    where not exists (select from dashboard_month_ends where month_end = day)`)
  if (missing.length === 0) return
  const days = sql`select day from unnest(${sql.param(missing.map(({ day }) => day))}::date[]) day`
  const ends = selectEachDay(days)
  const byGroup = (column: string, rows: SQL) =>
    sql`select ${ends.key}${sql.raw(column)}, count(*) as figure ${rows} group by ${ends.key}${sql.raw(column)}`
  await tx.run(sql`
    insert into dashboard_month_ends (month_end, group_id, active_policies, total_members, pending_claims,
      outstanding_premiums, claims_processed, overdue_payments)
    select e.day, g.id, coalesce(policies.figure, 0), coalesce(members.figure, 0), coalesce(waiting.figure, 0),
      coalesce(debt.cents, 0), coalesce(processed.figure, 0), coalesce(debt.overdue, 0)
    from employer_groups g
    cross join (${days}) e
    left join (${byGroup("p.group_id", activePolicies(ends))}) policies on policies.group_id = g.id and policies.day = e.day
    left join (
      select a.day, p.group_id, sum(a.active) as figure
      from (${activeAtMonthEnds(days, timezone)}) a join policies p on p.id = a.policy_id
      group by 1, 2) members on members.group_id = g.id and members.day = e.day
    left join (
      select day, group_id, sum(figure) as figure from (
        ${byGroup("c.group_id", undecidedNow(ends))} union all ${byGroup("c.group_id", decidedSince(ends))}
      ) claims group by 1, 2) waiting on waiting.group_id = g.id and waiting.day = e.day
    left join (
      select day, group_id, sum(owed) as cents, count(*) filter (where owed > 0 and due_on < day) as overdue
      from ${owedSql(ends)} owed group by 1, 2) debt on debt.group_id = g.id and debt.day = e.day
    left join (${byGroup("c.group_id", processed(sql`date_trunc('month', asked.day)::date`, ends))}) processed
      on processed.group_id = g.id and processed.day = e.day
    on conflict do nothing`)
}

const permissionByRecordKind: Record<string, PermissionName> = {
  policy: "policies.read",
  member: "members.read",
  staff_list: "members.import",
  claim: "claims.read",
  invoice: "invoices.read",
  credit_note: "invoices.read",
  receipt: "receipts.read",
  payout: "payouts.read",
}

/** Activity shows these facts once, on the policy. */
const factsListedOnPolicy = ["StaffListImported", "StaffListImportUndone", "MemberImported", "MemberImportUndone"]
/** Activity shows a credit once, on the credit note. */
const factsNotInActivity = [...factsListedOnPolicy, "InvoiceCredited", ...viewFactTypes]
const activityFacts = Object.keys(sentences).filter((fact) => !factsNotInActivity.includes(fact))

/** Older entries have `member_import`. */
const currentKindSql = sql.raw("case record_kind when 'member_import' then 'staff_list' else record_kind end")

export async function readRecentActivity({ tx, actor, currency }: Cx, limit: number): Promise<ActivityEntry[]> {
  const { role } = ruleActor(actor)
  const kinds = Object.keys(permissionByRecordKind).filter((kind) => hasPermission(role, permissionByRecordKind[kind]!))
  if (kinds.includes("staff_list")) kinds.push("member_import")
  const rows = await tx.rows<{
    id: number
    at: string
    actor: string
    fact: string
    kind: string
    recordId: string | null
    label: string
    detail: Omit<AnyFact, "type" | "record" | "groupId">
  }>(sql`
    select id, at, actor_name as actor, fact, ${currentKindSql} as kind, record_id as "recordId", record_label as label, ${decryptedDetail()} as detail
    from audit_log where record_kind = any (${sql.param(kinds)}::text[]) and fact = any (${sql.param(activityFacts)}::text[])
    order by id desc limit ${limit}`)
  return rows.map(({ id, at, actor, fact, kind, recordId, label, detail }) => {
    const record = { kind, id: recordId, label }
    return { id, at, actor, record, sentence: sentence({ type: fact, record, groupId: null, ...detail }, currency) }
  })
}
