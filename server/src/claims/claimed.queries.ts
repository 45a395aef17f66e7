import { type SQL, sql } from "drizzle-orm"

export const hasClaims = (memberId: SQL): SQL => sql`exists (select from claims c where c.member_id = ${memberId})`
