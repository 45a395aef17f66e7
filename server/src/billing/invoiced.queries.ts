import { type SQL, sql } from "drizzle-orm"

export const isInvoiced = (memberId: SQL): SQL =>
  sql`exists (select from invoice_lines l where l.member_id = ${memberId})`
