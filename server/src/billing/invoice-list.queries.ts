import { billingContract, type InvoiceRow } from "@milkwood/domain/billing/billing.contract"
import { type InvoiceTab, invoiceTabs } from "@milkwood/domain/billing/invoice"
import { invoiceActionsOf } from "@milkwood/domain/billing/invoice-lifecycle"
import type { Cents } from "@milkwood/domain/kernel/money"
import { type SQL, sql } from "drizzle-orm"
import { query } from "../platform/commands.ts"
import { containing } from "../platform/like.ts"
import {
  allocatedCents,
  creditedCents,
  joinMoney,
  type MoneyRow,
  moneyOf,
  openCents,
  statusOn,
} from "./invoice-money.ts"
import { roleOf, visibleTo } from "./invoices.queries.ts"

const sorts = {
  createdAt: sql`"createdAt"`,
  number: sql`number`,
  groupName: sql`lower("groupName")`,
  policyNumber: sql`"policyNumber"`,
  invoiceOn: sql`"invoiceOn"`,
  dueOn: sql`"dueOn"`,
  totalCents: sql`"totalCents"`,
  openCents: sql`"openCents"`,
  status: sql`status`,
} satisfies Record<string, SQL>

interface Found {
  rows: (Omit<InvoiceRow, "allowedActions"> & MoneyRow)[]
  total: number
  counts: Record<InvoiceTab, number>
  sums: { totalCents: Cents; openCents: Cents }
  cards: { invoices: number; revenueCents: Cents; pendingCents: Cents; overdue: number }
}

/** The list with everything around it in one statement: page, counts of the tabs, sums, cards. */
export const listInvoices = query(billingContract.list, async ({ tx, actor, today, input }) => {
  const role = roleOf(actor)
  const inTab = (tab: InvoiceTab) => sql`status = any (${sql.param([...invoiceTabs[tab]])}::text[])`
  const counts = sql.join(
    Object.keys(invoiceTabs).map((tab) => sql`${tab}::text, count(*) filter (where ${inTab(tab as InvoiceTab)})`),
    sql`, `,
  )
  const direction = sql.raw(input.dir)
  const found = (await tx.row<Found>(sql`
    with seen as (
      select i.id, i.number, i.kind, ${statusOn(today)} as status, i.status as "storedStatus",
        i.group_id as "groupId", g.name as "groupName", i.policy_id as "policyId", p.number as "policyNumber",
        i.invoice_on as "invoiceOn", i.due_on as "dueOn", i.period_start_on as "periodStartOn", i.period_end_on as "periodEndOn",
        i.total_cents as "totalCents", ${openCents} as "openCents",
        ${creditedCents} as "creditedCents", ${allocatedCents} as "allocatedCents", i.created_at as "createdAt", i.version
      from invoices i
      join policies p on p.id = i.policy_id
      join employer_groups g on g.id = i.group_id
      ${joinMoney}
      where ${visibleTo(actor)}
    ), matching as (
      select * from seen
      where ${matches(input.search)}
        and ${input.policyId ? sql`"policyId" = ${input.policyId}` : sql`true`}
        and ${input.groupId ? sql`"groupId" = ${input.groupId}` : sql`true`}
    ), chosen as (
      select * from matching where ${inTab(input.tab)}
    )
    select
      coalesce((select jsonb_agg(to_jsonb(page) order by place) from (
        select chosen.*, to_char("createdAt" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
          row_number() over (order by ${sorts[input.sort]} ${direction}, number ${direction}) as place
        from chosen order by place limit ${input.pageSize} offset ${(input.page - 1) * input.pageSize}) page), '[]') as rows,
      (select count(*) from chosen) as total,
      (select jsonb_build_object(${counts}) from matching) as counts,
      (select jsonb_build_object('totalCents', coalesce(sum("totalCents"), 0), 'openCents', coalesce(sum("openCents"), 0)) from chosen) as sums,
      (select jsonb_build_object(
        'invoices', count(*),
        'revenueCents', coalesce(sum("totalCents" - "creditedCents") filter (where status = 'paid'), 0),
        'pendingCents', coalesce(sum(case status when 'sent' then "openCents" when 'pending' then "totalCents" end), 0),
        'overdue', count(*) filter (where status = 'overdue')) from seen) as cards`))!
  return {
    ...found,
    rows: found.rows.map((row) => ({ ...row, allowedActions: invoiceActionsOf(moneyOf(row), role) })),
  }
})

/** Any part of the invoice number, the group name or the policy number. */
function matches(search: string): SQL {
  if (search === "") return sql`true`
  const like = containing(search)
  return sql`(lower(number) like ${like} or lower("groupName") like ${like} or lower("policyNumber") like ${like})`
}
