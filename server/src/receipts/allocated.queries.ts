import { type SQL, sql } from "drizzle-orm"

/** The day of the last unreleased allocation to an invoice; today at the latest. */
export const lastAllocatedOn = (invoiceId: SQL, today: string): SQL => sql`(
  select least(max(allocated_on), ${today}::date) from receipt_allocations where invoice_id = ${invoiceId} and released_at is null)`

export const paymentsOf = (invoiceId: string): SQL => sql`
  select r.id as "receiptId", r.number as "receiptNumber", r.received_on as "receivedOn",
    sum(l.amount_cents)::bigint as "amountCents"
  from receipt_allocations l join receipts r on r.id = l.receipt_id
  where l.invoice_id = ${invoiceId} and l.released_at is null
  group by r.id order by r.received_on, r.number`

/** The effective write-offs of an invoice, which reduce later credit notes and write-offs. */
export const writtenOffOf = (invoiceId: string): SQL => sql`
  select coalesce(sum(total_cents), 0)::bigint as "totalCents", coalesce(sum(vat_cents), 0)::bigint as "vatCents"
  from write_offs where invoice_id = ${invoiceId} and written_off_on is not null and reversed_on is null`
