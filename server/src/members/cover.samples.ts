import { type Day, firstOfMonth } from "@milkwood/domain/kernel/calendar"
import { sql } from "drizzle-orm"
import type { Tx } from "../platform/database/database.ts"
import { type CoveredMember, coveredColumns, payingMembers } from "./cover.queries.ts"

/** Ordered by name. */
export function loadPayingIn(tx: Tx, policyId: string, month: Day): Promise<CoveredMember[]> {
  return tx.rows<CoveredMember>(sql`
    select ${coveredColumns}
    from (${payingMembers(sql`${firstOfMonth(month)}::date`, policyId)}) c
    join members m on m.id = c.member_id
    join benefit_tiers t on t.id = c.tier_id
    order by m.last_name_key, m.name_key, m.id`)
}
