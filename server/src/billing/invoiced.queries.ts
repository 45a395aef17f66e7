import { type SQL, sql } from "drizzle-orm"

/** Whether a member stands on an invoice. */
export const isInvoiced = (memberId: SQL): SQL =>
  sql`exists (select from invoice_lines l where l.member_id = ${memberId})`
