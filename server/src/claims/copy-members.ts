import { type SQL, sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"

/** Copies the name and days of changed members to their claims, whose lists search and sort by them. */
export async function copyMembersToClaims(tx: Tx, memberIds: SQL): Promise<void> {
  await tx.run(sql`
    update claims c set member_last_name_key = m.last_name_key, member_name_key = m.name_key,
      member_start_on = m.start_on, member_end_on = m.end_on
    from members m
    where m.id = c.member_id and m.id in (${memberIds})
      and (c.member_last_name_key, c.member_name_key, c.member_start_on, c.member_end_on)
        is distinct from (m.last_name_key, m.name_key, m.start_on, m.end_on)`)
}
