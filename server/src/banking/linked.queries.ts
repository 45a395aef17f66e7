import { type SQL, sql } from "drizzle-orm"

/** Whether a line of the bank is, or ever was, a receipt's; for the receipts to the left. */
export const wasLinked = (receiptId: string): SQL =>
  sql`exists (select from bank_matches where receipt_id = ${receiptId})`
