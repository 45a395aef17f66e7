import { firstOfMonth, lastOfMonth } from "@milkwood/domain/kernel/calendar"
import { hasPermission } from "@milkwood/domain/platform/permission"
import { type EmployerStanding, reportsContract } from "@milkwood/domain/reports/reports.contract"
import { sql } from "drizzle-orm"
import { isOpen, openCents } from "../billing/invoice-money.ts"
import { ruleActor, seesAllGroups } from "../platform/calls/actor.ts"
import { query } from "../platform/calls/commands.ts"
import { outstandingListsSql } from "../staff-lists/outstanding-lists.queries.ts"

const maxInvoicesListed = 5

/** Row-level security limits the rows; employers do not see unsent invoices. */
export const readEmployerStanding = query(reportsContract.employerStanding, async (cx) => {
  const { tx, actor, today } = cx
  if (seesAllGroups(actor)) return null
  const sendsLists = hasPermission(ruleActor(actor).role, "members.import")
  const found = await tx.row<Omit<EmployerStanding, "members"> & EmployerStanding["members"]>(sql`
    with months as materialized (
      select i.*, ${openCents} as open from invoices i
      where i.status = 'sent' and i.period_start_on <= ${lastOfMonth(today)}::date and i.period_end_on >= ${firstOfMonth(today)}::date
    )
    select m.*, o.*,
      (select count(*) from months) as "invoiceCount",
      (select coalesce(jsonb_agg(to_jsonb(n) - '_on' order by n._on desc, n.number desc), '[]') from (
        select i.id, i.number, g.name as "groupName", i.total_cents as "totalCents", i.open as "openCents", i.due_on as "dueOn",
          i.invoice_on as _on
        from months i join employer_groups g on g.id = i.group_id order by i.invoice_on desc, i.number desc limit ${maxInvoicesListed}) n
      ) as invoices,
      ${
        sendsLists
          ? sql`(select jsonb_build_object('id', s.id, 'fileName', s.file_name, 'at', s.committed_at) from staff_lists s
              where s.status = 'completed' order by s.committed_at desc, s.id desc limit 1)`
          : sql`null::jsonb`
      } as "lastStaffList",
      ${
        sendsLists
          ? sql`(select coalesce(jsonb_agg(jsonb_build_object('policyId', o.policy_id, 'policyNumber', p.number,
                'month', o.month, 'dueOn', o.due_on, 'state', o.state) order by o.due_on, p.number), '[]')
              from (${outstandingListsSql(cx)}) o join policies p on p.id = o.policy_id)`
          : sql`'[]'::jsonb`
      } as "listsToSend"
    from (
      select coalesce(sum(active), 0)::bigint as active, coalesce(sum(pending), 0)::bigint as pending,
        coalesce(sum(suspended), 0)::bigint as suspended from member_counts
    ) m cross join (
      select coalesce(sum(${openCents}), 0)::bigint as "owedCents",
        coalesce(sum(${openCents}) filter (where i.due_on < ${today}::date), 0)::bigint as "overdueCents"
      from invoices i where ${isOpen}
    ) o`)
  const { active, pending, suspended, ...rest } = found!
  return { ...rest, members: { active, pending, suspended } }
})
