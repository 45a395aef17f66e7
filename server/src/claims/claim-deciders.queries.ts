import type { Claim } from "@milkwood/domain/claims/claim"
import { type Decider, decidersOf } from "@milkwood/domain/claims/claim-approval"
import { sql } from "drizzle-orm"
import { type Cx, orRefuse } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"

/** Everybody who could decide a stage of a claim of this group, whatever they did with the claim before. */
export function peopleWhoDecide(tx: Tx, groupId: string): Promise<Decider[]> {
  return tx.rows<Decider>(sql`
    select u.id as "userId", u.name, u.role as stage from users u
    where u.disabled_at is null and u.email_verified and (
      u.role = 'underwriter'
      or (u.role in ('group_admin', 'policy_holder')
        and exists (select from user_groups g where g.user_id = u.id and g.group_id = ${groupId}))
    )
    order by u.name, u.id`)
}

/** Refuses NOBODY_TO_DECIDE, with the reason, when a stage of the claim would have nobody. */
export async function requireDeciders(cx: Cx, claim: Claim): Promise<void> {
  const hands = claim.submittedBy ? [...claim.capturedBy, claim.submittedBy] : claim.capturedBy
  orRefuse(decidersOf(hands, await peopleWhoDecide(cx.tx, claim.groupId)))
}
