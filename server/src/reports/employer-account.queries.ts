import { claimTabs } from "@milkwood/domain/claims/claim"
import { type Day, firstOfMonth, lastOfMonth } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { hasPermission } from "@milkwood/domain/platform/permission"
import { type EmployerAccount, reportsContract } from "@milkwood/domain/reports/reports.contract"
import { sql } from "drizzle-orm"
import { isOpen, openCents } from "../billing/invoice-money.ts"
import { findNextMonthToBill } from "../billing/next-period.ts"
import { readEmployerDetail } from "../employers/employers.queries.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, query } from "../platform/calls/commands.ts"
import { isUnallocatedSql, unallocatedCents } from "../receipts/credit.queries.ts"
import { outstandingListsSql } from "../staff-lists/outstanding-lists.queries.ts"
import { experienceSql, lossRatio } from "./catalogue/report-list.ts"
import { peopleOf } from "./policy-account.queries.ts"

type Figures = Omit<EmployerAccount, "creditCents" | "experience" | "nextInvoiceFor">

export const employerAccount = query(reportsContract.employerAccount, async (cx): Promise<EmployerAccount> => {
  const { tx, today } = cx
  const { groupId } = cx.input
  await readEmployerDetail(cx, groupId)
  const { role } = ruleActor(cx.actor)
  const month = sql`between ${firstOfMonth(today)}::date and ${lastOfMonth(today)}::date`
  const figures = (await tx.row<Figures>(sql`
    select (
      select jsonb_build_object('active', count(*) filter (where status = 'Active'),
        'suspended', count(*) filter (where status = 'Suspended'), 'draft', count(*) filter (where status = 'Draft'),
        'ended', count(*) filter (where status in ('Terminated', 'Expired')))
      from policies where group_id = ${groupId}
    ) as policies, (
      select jsonb_build_object('active', coalesce(sum(active), 0), 'pending', coalesce(sum(pending), 0),
        'suspended', coalesce(sum(suspended), 0))
      from member_counts where group_id = ${groupId}
    ) as members, (
      select count(*)::int from members
      where group_id = ${groupId} and status <> 'Pending' and start_on ${month}
    ) as joiners, (
      select count(*)::int from members where group_id = ${groupId} and status = 'Terminated' and end_on ${month}
    ) as leavers, debt.*, (
      select count(*)::int from claims
      where group_id = ${groupId} and status = any (${sql.param([...claimTabs.pending])}::text[])
    ) as "openClaims", (
      select coalesce(jsonb_agg(jsonb_build_object('policyId', p.id, 'policyNumber', p.number, 'last', (
        select jsonb_build_object('id', s.id, 'fileName', s.file_name, 'at', s.committed_at) from staff_lists s
        where s.policy_id = p.id and s.status = 'completed' order by s.committed_at desc, s.id desc limit 1
      ), 'outstanding', case when o.policy_id is not null
        then jsonb_build_object('month', o.month, 'dueOn', o.due_on, 'state', o.state) end
      ) order by p.number), '[]')
      from policies p left join (${outstandingListsSql(cx)}) o on o.policy_id = p.id
      where p.group_id = ${groupId} and p.status in ('Active', 'Suspended')
    ) as "staffLists", ${peopleOf(groupId)} as people
    from (
      select coalesce(sum(${openCents}), 0)::bigint as "owedCents",
        coalesce(sum(${openCents}) filter (where i.due_on < ${today}::date), 0)::bigint as "overdueCents"
      from invoices i where i.group_id = ${groupId} and ${isOpen}
    ) debt`))!
  return {
    ...figures,
    creditCents: hasPermission(role, "receipts.read") ? await loadCredit(cx, groupId) : null,
    experience: hasPermission(role, "reports.read") ? await loadExperience(cx, groupId) : null,
    nextInvoiceFor: await findNextInvoiceMonth(cx, groupId),
  }
})

async function loadCredit({ tx }: Pick<Cx, "tx">, groupId: string): Promise<Cents> {
  const found = await tx.row<{ cents: Cents }>(sql`
    select coalesce(sum(${unallocatedCents}) filter (where ${isUnallocatedSql}), 0)::bigint as cents
    from receipts r where r.group_id = ${groupId}`)
  return found!.cents
}

/**
 * The experience of the twelve months up to this one. The array makes the planner read the employer's policies only; a
 * join would add up the whole book.
 */
async function loadExperience({ tx, today }: Pick<Cx, "tx" | "today">, groupId: string) {
  const last = sql`${firstOfMonth(today)}::date`
  const first = sql`(${last} - interval '11 months')::date`
  const found = await tx.row<NonNullable<EmployerAccount["experience"]>>(sql`
    select coalesce(sum(x.earned), 0)::bigint as "earnedCents", coalesce(sum(x.incurred), 0)::bigint as "incurredCents",
      ${lossRatio(sql`coalesce(sum(x.incurred), 0)`, sql`coalesce(sum(x.earned), 0)`)} as "lossRatio"
    from (${experienceSql(first, last)}) x
    where x.policy_id = any (array(select id from policies where group_id = ${groupId}))`)
  return found!
}

/** The earliest month that an active or suspended policy is to be billed for next. */
async function findNextInvoiceMonth({ tx, today }: Pick<Cx, "tx" | "today">, groupId: string): Promise<Day | null> {
  const billed = await tx.rows<{ id: string; startOn: Day; billedFromOn: Day | null }>(sql`
    select id, start_on as "startOn", billed_from_on as "billedFromOn" from policies
    where group_id = ${groupId} and status in ('Active', 'Suspended')`)
  const months: Day[] = []
  for (const policy of billed) {
    const month = await findNextMonthToBill(tx, policy, today)
    if (month !== null) months.push(month)
  }
  return months.sort()[0] ?? null
}
