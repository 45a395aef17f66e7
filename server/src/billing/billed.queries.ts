import { type Day, firstOfMonth } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"

interface BilledQuery {
  /** Selects policy ids. */
  policies: SQL
  /** Any day of the last month, inclusive; default: no upper bound. */
  month?: Day | undefined
  /** Any day of the first month; default: no lower bound. */
  from?: Day | undefined
  /** Selects member ids; default: all. */
  members?: SQL | undefined
}

/**
 * Rows to sum: `policy_id, member_id, month, cents, invoice_id, billed_at`, without VAT and before discount. Drafts
 * count, to prevent double billing; concessions do not. `billed_at` is null for credit notes and fully corrected
 * invoices.
 */
export function billedByMonth({ policies, month, from, members }: BilledQuery): SQL {
  const asked = sql`
    ${month ? sql`l.billed_month <= ${firstOfMonth(month)}::date` : sql`l.billed_month is not null`}
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

/** When a valid invoice first billed any member for the month; null if never. */
export const firstBilledAt = (policy: SQL, month: SQL): SQL => sql`(
  select min(i.created_at) from invoices i
  where i.policy_id = ${policy} and i.status <> 'cancelled' and i.credited_whole_at is null
    and (select l.id from invoice_lines l where l.invoice_id = i.id and l.billed_month = ${month} limit 1) is not null)`

/**
 * `status` restricts invoices `i`. A scalar subquery, so that the planner uses the index on the member's lines;
 * otherwise it reads all lines.
 */
export const isBilledTo = (member: SQL, month: SQL, status: SQL): SQL => sql`
  coalesce((select true from invoice_lines l join invoices i on i.id = l.invoice_id
    where l.member_id = ${member} and l.billed_month = ${month} and i.credited_whole_at is null and ${status} limit 1), false)`
