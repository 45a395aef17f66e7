import { sql } from "drizzle-orm"

/** The organisation's accounts that payments leave from: for the room payouts, to be joined. */
export const accountsToPayFrom = sql.raw(
  "(select id, name, bank, account_number, branch_code, is_main from bank_accounts)",
)
