import { billingContract, type InvoiceRow } from "@milkwood/domain/billing/billing.contract"
import { type InvoiceTab, invoiceTabs } from "@milkwood/domain/billing/invoice"
import { invoiceActionsOf } from "@milkwood/domain/billing/invoice-lifecycle"
import type { Cents } from "@milkwood/domain/kernel/money"
import type { InferSchemaOutput } from "@orpc/contract"
import { type SQL, sql } from "drizzle-orm"
import type { Actor } from "../platform/calls/actor.ts"
import { type Cx, query } from "../platform/calls/commands.ts"
import { within } from "../platform/database/day-range.ts"
import { containing } from "../platform/database/like.ts"
import { inPlace } from "../platform/lists/list-export.ts"
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

export type InvoicesInput = InferSchemaOutput<NonNullable<(typeof billingContract.list)["~orpc"]["inputSchema"]>>
type StoredRow = Omit<InvoiceRow, "allowedActions"> & MoneyRow

interface Found {
  rows: StoredRow[]
  total: number
  counts: Record<InvoiceTab, number>
  sums: { totalCents: Cents; openCents: Cents }
  cards: { invoices: number; revenueCents: Cents; pendingCents: Cents; overdue: number }
}

/** Every invoice that the reader may see, as lists match, sort and show it. */
const seenBy = ({ actor, today }: Pick<Cx, "actor" | "today">): SQL => sql`
  select i.id, i.number, i.kind, ${statusOn(today)} as status, i.status as "storedStatus",
    i.group_id as "groupId", g.name as "groupName", i.policy_id as "policyId", p.number as "policyNumber",
    i.invoice_on as "invoiceOn", i.due_on as "dueOn", i.period_start_on as "periodStartOn", i.period_end_on as "periodEndOn",
    i.total_cents as "totalCents", ${openCents} as "openCents",
    ${creditedCents} as "creditedCents", ${allocatedCents} as "allocatedCents", i.created_at as "createdAt", i.version
  from invoices i
  join policies p on p.id = i.policy_id
  join employer_groups g on g.id = i.group_id
  ${joinMoney}
  where ${visibleTo(actor)}`

/** What a search and its filters ask for, whatever the tab. */
const matches = ({ search, policyId, groupId, invoicedFrom, invoicedTo }: InvoicesInput): SQL => sql`
  ${searched(search)}
  and ${policyId ? sql`"policyId" = ${policyId}` : sql`true`}
  and ${groupId ? sql`"groupId" = ${groupId}` : sql`true`}
  and ${within(sql`"invoiceOn"`, invoicedFrom, invoicedTo)}`

const inTab = (tab: InvoiceTab): SQL => sql`status = any (${sql.param([...invoiceTabs[tab]])}::text[])`

/** The order of the list; the number makes it total. */
const inOrder = ({ sort, dir }: InvoicesInput): SQL => sql`${sorts[sort]} ${sql.raw(dir)}, number ${sql.raw(dir)}`

/** The rows of `page`, in their places. */
const rowsOfPage = sql.raw(`
  (select coalesce(jsonb_agg(to_jsonb(page) || jsonb_build_object('createdAt',
      to_char("createdAt" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by place), '[]') from page)`)

const present = (row: StoredRow, actor: Actor): InvoiceRow => ({
  ...row,
  allowedActions: invoiceActionsOf(moneyOf(row), roleOf(actor)),
})

/** The statement of every invoice that the list matches, in its order. */
export function matchingInvoices(cx: Cx, input: InvoicesInput, only: (column: SQL) => SQL): SQL {
  return sql`
    select id from (${seenBy(cx)}) seen
    where ${matches(input)} and ${inTab(input.tab)} and ${only(sql`id`)} order by ${inOrder(input)}`
}

/** The rows of these invoices, in their order. */
export async function invoiceRowsOf(cx: Cx, ids: string[]): Promise<InvoiceRow[]> {
  const found = await cx.tx.row<Pick<Found, "rows">>(sql`
    with page as (select seen.*, asked.place from (${seenBy(cx)}) seen join ${inPlace(ids)} on asked.id = seen.id)
    select ${rowsOfPage} as rows`)
  return found!.rows.map((row) => present(row, cx.actor))
}

/** The list with everything around it in one statement: page, counts of the tabs, sums, cards. */
export const listInvoices = query(billingContract.list, async ({ tx, actor, today, input }) => {
  const counts = sql.join(
    Object.keys(invoiceTabs).map((tab) => sql`${tab}::text, count(*) filter (where ${inTab(tab as InvoiceTab)})`),
    sql`, `,
  )
  const found = (await tx.row<Found>(sql`
    with seen as (${seenBy({ actor, today })}), matching as (
      select * from seen where ${matches(input)}
    ), chosen as (
      select * from matching where ${inTab(input.tab)}
    ), page as (
      select chosen.*, row_number() over (order by ${inOrder(input)}) as place
      from chosen order by place limit ${input.pageSize} offset ${(input.page - 1) * input.pageSize}
    )
    select ${rowsOfPage} as rows,
      (select count(*) from chosen) as total,
      (select jsonb_build_object(${counts}) from matching) as counts,
      (select jsonb_build_object('totalCents', coalesce(sum("totalCents"), 0), 'openCents', coalesce(sum("openCents"), 0)) from chosen) as sums,
      (select jsonb_build_object(
        'invoices', count(*),
        'revenueCents', coalesce(sum("totalCents" - "creditedCents") filter (where status = 'paid'), 0),
        'pendingCents', coalesce(sum(case status when 'sent' then "openCents" when 'pending' then "totalCents" end), 0),
        'overdue', count(*) filter (where status = 'overdue')) from seen) as cards`))!
  return { ...found, rows: found.rows.map((row) => present(row, actor)) }
})

/** Any part of the invoice number, the group name or the policy number. */
function searched(search: string): SQL {
  if (search === "") return sql`true`
  const like = containing(search)
  return sql`(lower(number) like ${like} or lower("groupName") like ${like} or lower("policyNumber") like ${like})`
}
