import { type SQL, sql } from "drizzle-orm"

export const accountsToPayFrom = (): SQL =>
  sql.raw("(select id, name, bank, account_number, branch_code, is_main from bank_accounts)")
