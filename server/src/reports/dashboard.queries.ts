import { claimTabs } from "@milkwood/domain/claims/claim"
import { sentences } from "@milkwood/domain/facts"
import { may, type PermissionName } from "@milkwood/domain/platform/permission"
import { changePercent, comparisonOn, type DashboardCard, dashboardCards } from "@milkwood/domain/reports/dashboard"
import type { ActivityEntry, Figure } from "@milkwood/domain/reports/reports.contract"
import { sql } from "drizzle-orm"
import { activeAtMonthEnd, activeToday } from "../members/member-counts.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import type { Cx } from "../platform/calls/commands.ts"
import { type AnyFact, sentence } from "../platform/trail/facts.ts"
import { owedBy } from "./debt.ts"

type Figures = Record<DashboardCard, { now: number; before: number }>

/** The figures of the cards in one statement; row-level security keeps a group's people to their groups. */
export async function dashboardFigures(cx: Cx): Promise<Record<DashboardCard, Figure>> {
  const { asOf, asOfBefore, from, to, fromBefore, toBefore } = comparisonOn(cx.today)
  const { timezone } = cx
  const dayOf = (column: string) => sql`(${sql.raw(column)} at time zone ${timezone})::date`
  /** The moment at which a day begins; instants are compared with it, so that an index of theirs serves. */
  const begin = (day: string) => sql`(${day}::date::timestamp at time zone ${timezone})`
  const end = (day: string) => sql`((${day}::date + 1)::timestamp at time zone ${timezone})`
  const both = (figure: (day: string) => ReturnType<typeof sql>) =>
    sql`jsonb_build_object('now', ${figure(asOf)}, 'before', ${figure(asOfBefore)})`
  const decided = sql.raw("coalesce(c.final_approval_at, c.rejected_at)")
  const processed = (first: string, last: string) => sql`
    (select count(*) from claims c where ${decided} >= ${begin(first)} and ${decided} < ${end(last)})`
  const undecided = sql.raw(claimTabs.pending.map((status) => `'${status}'`).join(", "))

  const found = await cx.tx.row<{ figures: Figures }>(sql`
    with debt_now as (select sum(owed)::bigint as cents, count(*) filter (where owed > 0 and due_on < ${asOf}::date) as overdue
      from ${owedBy(asOf)} debt),
    debt_before as (select sum(owed)::bigint as cents, count(*) filter (where owed > 0 and due_on < ${asOfBefore}::date) as overdue
      from ${owedBy(asOfBefore)} debt)
    select jsonb_build_object(
      'activePolicies', ${both(
        (day) => sql`(select count(*) from policy_periods k join policies p on p.id = k.policy_id
          where k.kind = 'active' and k.superseded_at is null and coalesce(p.terminated_on > ${day}::date, true)
            and (k.valid @> ${day}::date or (lower(k.valid) > ${day}::date and ${dayOf("p.activated_at")} <= ${day}::date
              and not exists (select from policy_periods e
                where e.policy_id = k.policy_id and e.superseded_at is null and lower(e.valid) < lower(k.valid)))))`,
      )},
      'totalMembers', jsonb_build_object('now', ${activeToday}, 'before', ${activeAtMonthEnd(asOfBefore, timezone)}),
      'pendingClaims', ${both(
        (day) => sql`(select count(*) from claims c where c.status in (${undecided}) and c.submitted_at < ${end(day)})
          + (select count(*) from claims c where ${decided} >= ${end(day)} and c.submitted_at < ${end(day)})`,
      )},
      'outstandingPremiums', jsonb_build_object('now', coalesce(debt_now.cents, 0), 'before', coalesce(debt_before.cents, 0)),
      'claimsProcessed', jsonb_build_object('now', ${processed(from, to)}, 'before', ${processed(fromBefore, toBefore)}),
      'overduePayments', jsonb_build_object('now', debt_now.overdue, 'before', debt_before.overdue)
    ) as figures from debt_now, debt_before`)
  return Object.fromEntries(
    dashboardCards.map((card) => {
      const { now, before } = found!.figures[card]
      return [card, { now, before, changePercent: changePercent(now, before) }]
    }),
  ) as Record<DashboardCard, Figure>
}

/** Which records' news a reader may read, by the permission to read the records themselves. */
const readable: Record<string, PermissionName> = {
  policy: "policies.read",
  member: "members.read",
  staff_list: "members.import",
  claim: "claims.read",
  invoice: "invoices.read",
  credit_note: "invoices.read",
  receipt: "receipts.read",
  payout: "payouts.read",
}

/** An import, and its undoing, is told once, on its policy, and not again for its list and each of its members. */
const toldOnPolicy = ["StaffListImported", "StaffListImportUndone", "MemberImported", "MemberImportUndone"]
/** A credit is told once, on its credit note, which names the invoice. */
const toldElsewhere = [...toldOnPolicy, "InvoiceCredited"]
const shownFacts = Object.keys(sentences).filter((fact) => !toldElsewhere.includes(fact))

/** What was on record before staff lists had their name stays as it was written. */
const kindNow = sql.raw("case record_kind when 'member_import' then 'staff_list' else record_kind end")

export async function recentActivity({ tx, actor }: Cx, limit: number): Promise<ActivityEntry[]> {
  const { role } = ruleActor(actor)
  const kinds = Object.keys(readable).filter((kind) => may(role, readable[kind]!))
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
    select id, at, actor_name as actor, fact, ${kindNow} as kind, record_id as "recordId", record_label as label, detail
    from audit_log where record_kind = any (${sql.param(kinds)}::text[]) and fact = any (${sql.param(shownFacts)}::text[])
    order by id desc limit ${limit}`)
  return rows.map(({ id, at, actor, fact, kind, recordId, label, detail }) => {
    const record = { kind, id: recordId, label }
    return { id, at, actor, record, sentence: sentence({ type: fact, record, groupId: null, ...detail }) }
  })
}
