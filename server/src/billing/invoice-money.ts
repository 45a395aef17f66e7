import type { InvoiceMoney, StoredInvoiceStatus } from "@milkwood/domain/billing/invoice"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { type SQL, sql } from "drizzle-orm"

/** Maintained by triggers on `invoices i`. */
export const creditedCents = sql`i.credited_cents`
export const allocatedCents = sql`i.allocated_cents`
export const writtenOffCents = sql`i.written_off_cents`

/** Matches the predicate of an index. */
export const isOpen = sql`i.status = 'sent' and i.credited_cents + i.allocated_cents + i.written_off_cents < i.total_cents`

/** Same rule as the domain's `openCents`. */
export const openCents = sql`case when i.status = 'sent' then i.total_cents - ${creditedCents} - ${allocatedCents} - ${writtenOffCents} else 0 end`

/** Same rule as the domain's `invoiceStatus`; a test compares them. */
export const statusOn = (today: Day): SQL => sql`
  case when i.status <> 'sent' then i.status
       when ${creditedCents} >= i.total_cents then 'credited'
       when ${openCents} <= 0 then case when ${writtenOffCents} > 0 then 'written_off' else 'paid' end
       when i.due_on < ${today}::date then 'overdue'
       else 'sent' end`

export interface MoneyRow {
  storedStatus: StoredInvoiceStatus
  totalCents: Cents
  creditedCents: Cents
  allocatedCents: Cents
  writtenOffCents: Cents
  dueOn: Day
}

export function moneyOf({ storedStatus, ...money }: MoneyRow): InvoiceMoney {
  return {
    status: storedStatus,
    totalCents: money.totalCents,
    creditedCents: money.creditedCents,
    allocatedCents: money.allocatedCents,
    writtenOffCents: money.writtenOffCents,
    dueOn: money.dueOn,
  }
}
