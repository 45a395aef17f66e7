import { type Day, firstOfMonth, lastOfMonth, minDay } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"

/** Unearned premium at the month's end, in cents. */
export async function sumUnearnedPremium(tx: Tx, month: Day): Promise<Cents> {
  const found = await tx.row<{ cents: Cents }>(sql`
    select coalesce(sum(credit_cents - debit_cents), 0)::bigint as cents from ledger_months
    where account = 'unearned_premium' and month <= ${month}::date`)
  return found!.cents
}

/**
 * Premium for later months, calculated from lines of invoices and credit notes effective by the month's end. The
 * effective day is from the ledger. Documents posted before deferral existed were income at once. Premium is earned
 * when its month begins, so no month after today's is earned.
 */
export async function sumBilledForLaterMonths(tx: Tx, month: Day, today: Day): Promise<Cents> {
  const last = lastOfMonth(month)
  const earned = minDay(month, firstOfMonth(today))
  const found = await tx.row<{ cents: Cents }>(sql`
    with later as (
      select invoice_id as id from invoice_lines where billed_month > ${earned}::date
      union
      select id from invoices where status = 'sent' and period_end_on > ${lastOfMonth(earned)}::date
    ), candidates as materialized (
      -- A credit note never counts before its invoice.
      select l.id from later l
      join ledger_entries e on e.source = 'invoice:' || l.id || ':sent' and e.effective_on <= ${last}::date
    )
    select coalesce(sum(p.net_cents), 0)::bigint as cents
    from candidates c cross join lateral (
      -- "offset 0" keeps the planner from working the view out for all documents.
      select * from premium_of_lines where invoice_id = c.id offset 0) p
    join ledger_entries e on e.source = case when p.credit_note_id is null then 'invoice:' || p.invoice_id || ':sent'
      else 'credit-note:' || p.credit_note_id end
    where p.month > ${earned}::date and e.effective_on <= ${last}::date
      and not exists (select from premium_parts o where o.invoice_id = p.invoice_id
        and o.credit_note_id is not distinct from p.credit_note_id and o.is_earned_at_once)`)
  return found!.cents
}
