import type { Day } from "@milkwood/domain/kernel/calendar"
import { type SQL, sql } from "drizzle-orm"
import { type AskedDays, oneDay } from "../platform/database/days.ts"

/*
 * What was owed and what was left over at the end of a day. Invoices and receipts keep what stands against them now; an
 * earlier day is now less what came since, so that only what is open and what has moved since is looked at, however
 * long the books are.
 */

/** Cents of allocations that count now and did not on the day, less those that counted then and were released since. */
const allocatedSince = (of: "invoice_id" | "receipt_id", { day, joined, key }: AskedDays): SQL => sql`
  select ${key}${sql.raw(of)} as id, amount_cents as cents from receipt_allocations ${joined}
    where allocated_on > ${day} and released_at is null
  union all
  select ${key}${sql.raw(of)}, -amount_cents from receipt_allocations ${joined}
    where released_on > ${day} and allocated_on <= ${day}`

/**
 * What each sent invoice dated up to a day still wanted at its end, as the ledger has it: its total, less the credit
 * notes, allocations and write-offs of days up to it. Answers a subquery (policy_id, group_id, invoice_id, due_on, owed) of cents;
 * what was settled by then and has not been touched since is left out.
 */
export const owedBy = (day: Day): SQL => owedAt(oneDay(day))

/** The same of one day or of each of several. */
export function owedAt(at: AskedDays): SQL {
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
 * What of each receipt taken up to a day was set against nothing at its end, and below nothing, without a receipt, what
 * refunds had taken of a policy's credit by then: from their release, as in the ledger. Answers a subquery (policy_id,
 * receipt_id, cents); what was allocated whole by then and has not been touched since is left out.
 */
export function creditOn(day: Day): SQL {
  return sql`(
    with since as materialized (
      select id, sum(cents)::bigint as cents from (${allocatedSince("receipt_id", oneDay(day))}) moved group by id
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
