import type { Day } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"
import { type DaySelection, selectOneDay } from "../platform/database/days.ts"

/* Invoices and receipts store their current allocations. An earlier day is computed backwards from now, so that only
   open and recently changed records are read. */

/** Cents allocated after the day, less cents released since then. */
const allocatedSince = (of: "invoice_id" | "receipt_id", { day, joined, key }: DaySelection): SQL => sql`
  select ${key}${sql.raw(of)} as id, amount_cents as cents from receipt_allocations ${joined}
    where allocated_on > ${day} and released_at is null
  union all
  select ${key}${sql.raw(of)}, -amount_cents from receipt_allocations ${joined}
    where released_on > ${day} and allocated_on <= ${day}`

/**
 * The ledger balance at the end of `day` of each sent invoice dated on or before it, as a subquery (policy_id, group_id,
 * invoice_id, due_on, owed) in cents. Invoices that were settled by then and have not changed since are omitted.
 */
export const owedOnDaySql = (day: Day): SQL => owedSql(selectOneDay(day))

export function owedSql(at: DaySelection): SQL {
  const { day, joined, key, kept } = at
  return sql`(
    with since as materialized (
      select ${kept}id, sum(cents)::bigint as cents from (
        ${allocatedSince("invoice_id", at)}
        union all
        select ${key}invoice_id, total_cents from credit_notes ${joined} where credited_on > ${day}
        union all
        select ${key}invoice_id, total_cents from write_offs ${joined} where written_off_on > ${day} and reversed_on is null
        union all
        select ${key}invoice_id, -total_cents from write_offs ${joined} where reversed_on > ${day} and written_off_on <= ${day}
      ) moved group by ${kept}id
    ), open as (
      select ${key}id, 0::bigint as cents from invoices ${joined}
        where status = 'sent' and credited_cents + allocated_cents + written_off_cents < total_cents
      union all
      select ${kept}id, cents from since
    )
    select ${key}i.policy_id, i.group_id, i.id as invoice_id, i.due_on,
      (i.total_cents - i.credited_cents - i.allocated_cents - i.written_off_cents + asked.cents)::bigint as owed
    from (select ${kept}id, sum(cents) as cents from open group by ${kept}id) asked join invoices i using (id)
    where i.status = 'sent' and i.invoice_on <= ${day}
  )`
}

/**
 * Unallocated amounts of receipts up to `day`, at its end; released refunds are negative rows without a receipt. A
 * subquery (policy_id, receipt_id, cents); omits receipts allocated by then and unchanged since.
 */
export function creditOnDaySql(day: Day): SQL {
  return sql`(
    with since as materialized (
      select id, sum(cents)::bigint as cents from (${allocatedSince("receipt_id", selectOneDay(day))}) moved group by id
    ), asked as (
      select id, 0::bigint as cents from receipts where reversed_at is null and allocated_cents < amount_cents
      union all
      select id, 0 from receipts where reversed_on > ${day}::date
      union all
      select id, cents from since
    )
    select r.policy_id, r.id as receipt_id, (r.amount_cents - r.allocated_cents + a.cents)::bigint as cents
    from (select id, sum(cents) as cents from asked group by id) a join receipts r using (id)
    where r.received_on <= ${day}::date and coalesce(r.reversed_on > ${day}::date, true)
    union all
    select o.policy_id, null, -sum(p.amount_cents)::bigint
    from payouts o
    join ledger_entries e on e.record_kind = 'payout' and e.record_id = o.id and e.effective_on <= ${day}::date
    join ledger_postings p on p.entry_id = e.id and p.account = 'unallocated_receipts'
    where o.subject_kind = 'refund' group by o.policy_id
  )`
}
