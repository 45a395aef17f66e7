import type { InvoiceMoney, StoredInvoiceStatus } from "@milkwood/domain/billing/invoice"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { type SQL, sql } from "drizzle-orm"

/**
 * Joins to `invoices i` what was credited and what was allocated: `c.credited`, `a.allocated`. Every room that asks
 * what is open on an invoice joins this. Grouped rather than lateral: one pass for a list, one look-up for one invoice.
 */
export const joinMoney = sql`
  left join (
    select invoice_id, sum(total_cents)::bigint as credited from credit_notes group by invoice_id
  ) c on c.invoice_id = i.id
  left join (
    select invoice_id, sum(amount_cents)::bigint as allocated from receipt_allocations where released_at is null group by invoice_id
  ) a on a.invoice_id = i.id`

/** The same, looked up for each invoice: for statements that want it of few of them, or of none. */
export const joinMoneyOfEach = sql`
  left join lateral (
    select sum(total_cents)::bigint as credited from credit_notes where invoice_id = i.id
  ) c on true
  left join lateral (
    select sum(amount_cents)::bigint as allocated from receipt_allocations where invoice_id = i.id and released_at is null
  ) a on true`

export const creditedCents = sql`coalesce(c.credited, 0)`
export const allocatedCents = sql`coalesce(a.allocated, 0)`

/** What is still to be paid, as `openCents` of the domain has it. */
export const openCents = sql`case when i.status = 'sent' then i.total_cents - ${creditedCents} - ${allocatedCents} else 0 end`

/** The status that people see, as `invoiceStatus` of the domain has it; a test compares the two. */
export const statusOn = (today: Day): SQL => sql`
  case when i.status <> 'sent' then i.status
       when ${creditedCents} >= i.total_cents then 'credited'
       when ${openCents} <= 0 then 'paid'
       when i.due_on < ${today}::date then 'overdue'
       else 'sent' end`

export interface MoneyRow {
  storedStatus: StoredInvoiceStatus
  totalCents: Cents
  creditedCents: Cents
  allocatedCents: Cents
  dueOn: Day
}

export function moneyOf({ storedStatus, ...money }: MoneyRow): InvoiceMoney {
  return {
    status: storedStatus,
    totalCents: money.totalCents,
    creditedCents: money.creditedCents,
    allocatedCents: money.allocatedCents,
    dueOn: money.dueOn,
  }
}
