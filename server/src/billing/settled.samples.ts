import { sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"
import { comparedMonthsSql } from "./difference.queries.ts"
import { changedMonthsSql, type SettledBilling } from "./settled.queries.ts"

/** Months where `changedMonthsSql` and `comparedMonthsSql` disagree. */
export function findMismatchedMonths(
  tx: Tx,
  settled: SettledBilling,
  asked: Parameters<typeof changedMonthsSql>[1],
): Promise<unknown[]> {
  return tx.preparedRows(sql`
    with since as (${changedMonthsSql(settled, asked)}), whole as (${comparedMonthsSql(asked)})
    (select * from since except all select * from whole) union all (select * from whole except all select * from since)`)
}
