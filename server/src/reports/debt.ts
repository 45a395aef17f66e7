import { type SQL, sql } from "drizzle-orm"

/**
 * What each sent invoice dated up to a day still wanted at its end, as the ledger has it: its total, less the credit notes and allocations of days up
 * to it. Answers a subquery (policy_id, group_id, invoice_id, due_on, owed); owed in cents, 0 for what was paid.
 */
export function owedBy(day: string): SQL {
  return sql`(
    select i.policy_id, i.group_id, i.id as invoice_id, i.due_on,
      (i.total_cents
        - (select coalesce(sum(c.total_cents), 0) from credit_notes c where c.invoice_id = i.id and c.credited_on <= ${day}::date)
        - (select coalesce(sum(a.amount_cents), 0) from receipt_allocations a
            where a.invoice_id = i.id and a.allocated_on <= ${day}::date and coalesce(a.released_on > ${day}::date, true))
      )::bigint as owed
    from invoices i where i.status = 'sent' and i.invoice_on <= ${day}::date
  )`
}
