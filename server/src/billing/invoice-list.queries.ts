import { billingContract, type InvoiceRow } from "@milkwood/domain/billing/billing.contract"
import { invoiceStatuses } from "@milkwood/domain/billing/invoice"
import { invoiceActionsOf } from "@milkwood/domain/billing/invoice-lifecycle"
import { invoicesList } from "@milkwood/domain/billing/invoices.list"
import { sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { query } from "../platform/calls/commands.ts"
import { matchesPattern } from "../platform/database/like.ts"
import { List, sumOf } from "../platform/lists/list.ts"
import { hasUndeliveredMail, mailState } from "./delivery.queries.ts"
import {
  allocatedCents,
  creditedCents,
  type MoneyRow,
  moneyOf,
  openCents,
  statusOn,
  writtenOffCents,
} from "./invoice-money.ts"
import { isVisibleTo } from "./invoices.queries.ts"

export const invoices = new List<typeof invoicesList, InvoiceRow>(invoicesList, {
  select: ({ actor, today }) => sql`
    select i.id, i.number, i.kind, ${statusOn(today)} as status, i.status as "storedStatus",
      i.group_id as "groupId", g.name as "groupName", i.policy_id as "policyId", p.number as "policyNumber",
      i.invoice_on as "invoiceOn", i.due_on as "dueOn", i.period_start_on as "periodStartOn",
      i.period_end_on as "periodEndOn", i.period_start_on || ' – ' || i.period_end_on as period,
      ${mailState(actor, "invoice", sql`i.id`)} as mail,
      i.total_cents as "totalCents", ${openCents} as "openCents", ${creditedCents} as "creditedCents",
      ${allocatedCents} as "allocatedCents", ${writtenOffCents} as "writtenOffCents", i.created_at as "createdAt", i.version,
      i.group_id as "_groupId", i.policy_id as "_policyId", lower(i.number) as "_number", lower(g.name) as "_group",
      p.number as "_policyNumber", lower(p.number) as "_policy"
    from invoices i
    left join policies p on p.id = i.policy_id
    left join employer_groups g on g.id = i.group_id
    where ${isVisibleTo(actor)}`,
  groupScoped: true,
  search: (pattern) => [
    { like: matchesPattern(sql`s._number`, pattern) },
    { like: matchesPattern(sql`s._group`, pattern) },
    { like: matchesPattern(sql`s._policy`, pattern) },
  ],
  filters: { undelivered: (_: true, { actor }) => hasUndeliveredMail(actor, "invoice") },
  sortColumns: { groupName: ["_group"], policyNumber: ["_policyNumber"], createdAt: ["createdAt", "number"] },
  totals: { creditedCents: { of: ["creditedCents"], value: sql`coalesce(sum(s."creditedCents"), 0)` } },
  present: ({ period: _, ...row }: Omit<InvoiceRow, "allowedActions"> & MoneyRow & { period: string }, { actor }) => ({
    ...row,
    allowedActions: invoiceActionsOf(moneyOf(row), ruleActor(actor).role),
  }),
})

export const listInvoices = query(billingContract.list, async (cx) => {
  const { figures, ...answer } = await invoices.answer(cx, cx.input)
  const of = (status: (typeof invoiceStatuses)[number], name: string) => sumOf(figures, [status], name)
  const cards = figures && {
    invoices: sumOf(figures, invoiceStatuses, "count"),
    revenueCents: of("paid", "totalCents") - of("paid", "creditedCents"),
    pendingCents: of("sent", "openCents") + of("pending", "totalCents"),
    overdue: of("overdue", "count"),
  }
  return { ...answer, cards }
})
