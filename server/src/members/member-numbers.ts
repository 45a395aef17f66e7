import { type SQL, sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"
import { padToSixDigits } from "../platform/database/numbering.ts"

/** The next number, per row of a select. A sequence holds no lock; a rollback leaves a gap. */
export const nextMemberNumber = sql`nextval('member_numbers')`

/** A member's number as people read it, such as `M-000123`. */
export const shownMemberNumber = (number: SQL): SQL => sql`'M-' || ${padToSixDigits(number)}`

export async function takeMemberNumbers(tx: Tx, count: number): Promise<string[]> {
  const taken = await tx.rows<{ number: string }>(sql`
    select ${shownMemberNumber(sql`n`)} as number
    from (select ${nextMemberNumber} as n from generate_series(1, ${count}::int)) taken order by n`)
  return taken.map(({ number }) => number)
}
