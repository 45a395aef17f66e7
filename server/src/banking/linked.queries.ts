import { type SQL, sql } from "drizzle-orm"

export const wasMatchedToBankLine = (receiptId: string): SQL =>
  sql`exists (select from bank_matches where receipt_id = ${receiptId})`
