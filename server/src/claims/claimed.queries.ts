import { type SQL, sql } from "drizzle-orm"

/** Whether a member has a claim. */
export const hasClaims = (memberId: SQL): SQL => sql`exists (select from claims c where c.member_id = ${memberId})`
