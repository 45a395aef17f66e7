import { sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"
import { compared } from "./difference.queries.ts"
import { comparedSince, type Settled } from "./settled.queries.ts"

/** Months where `comparedSince` and `compared` disagree. */
export function mismatchedMonths(
  tx: Tx,
  settled: Settled,
  asked: Parameters<typeof comparedSince>[1],
): Promise<unknown[]> {
  return tx.preparedRows(sql`
    with since as (${comparedSince(settled, asked)}), whole as (${compared(asked)})
    (select * from since except all select * from whole) union all (select * from whole except all select * from since)`)
}
