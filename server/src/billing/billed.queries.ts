import { type Day, firstOfMonth } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"

interface BilledAsked {
  /** Selects ids of policies, as one column. */
  policies: SQL
  /** Any day of the last month. */
  month: Day
  /** Any day of the first month; without one, all before are asked for. */
  from?: Day | undefined
  /** Selects the ids of members, as one column, where not all are asked for. */
  members?: SQL | undefined
}

/**
 * What policies were billed, in rows that sum: `policy_id, member_id, month, cents, invoice_id`. Lines of invoices that are
 * not cancelled count, drafts too, so that nothing is made twice; corrections count against them, and concessions do not.
 * Without VAT and before discount. `billed_at` is when the invoice was made, where it stands: null of one that was credited
 * whole, and of credit notes.
 */
export function billedByMonth({ policies, month, from, members }: BilledAsked): SQL {
  const asked = sql`
    l.billed_month <= ${firstOfMonth(month)}::date
      ${from ? sql`and l.billed_month >= ${firstOfMonth(from)}::date` : sql``} ${members ? sql`and l.member_id in (${members})` : sql``}`
  return sql`
    select i.policy_id, l.member_id, l.billed_month as month, l.total_cents as cents, i.id as invoice_id,
      case when i.credited_whole_at is null then i.created_at end as billed_at
    from invoices i join invoice_lines l on l.invoice_id = i.id
    where i.policy_id in (${policies}) and i.status <> 'cancelled' and ${asked}
    union all
    select c.policy_id, l.member_id, l.billed_month, -l.net_cents, c.invoice_id, null
    from credit_notes c join credit_note_lines l on l.credit_note_id = c.id
    where c.policy_id in (${policies}) and c.kind = 'correction' and ${asked}`
}

/** When anybody of a policy was first billed a month by an invoice that stands, in SQL; null where nobody was. */
export const firstBilledAt = (policy: SQL, month: SQL): SQL => sql`(
  select min(i.created_at) from invoices i
  where i.policy_id = ${policy} and i.status <> 'cancelled' and i.credited_whole_at is null
    and (select l.id from invoice_lines l where l.invoice_id = i.id and l.billed_month = ${month} limit 1) is not null)`

/**
 * Whether a member was billed a month by an invoice that stands, in SQL; `status` is what else the invoices `i` have to be.
 * It is asked row by row, along the index of the member's lines: as a condition among others, the planner reads all lines.
 */
export const isBilledTo = (member: SQL, month: SQL, status: SQL): SQL => sql`
  coalesce((select true from invoice_lines l join invoices i on i.id = l.invoice_id
    where l.member_id = ${member} and l.billed_month = ${month} and i.credited_whole_at is null and ${status} limit 1), false)`
