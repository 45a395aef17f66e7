import type { Claim } from "@milkwood/domain/claims/claim"
import { type Decider, decidersOf } from "@milkwood/domain/claims/claim-approval"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { isRefusal } from "@milkwood/domain/kernel/refusal"
import { preparerIds } from "@milkwood/domain/platform/permission"
import { sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, orRefuse, query, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"

export function loadDeciders(tx: Tx, groupId: string): Promise<Decider[]> {
  return tx.preparedRows<Decider>(sql`
    select u.id as "userId", u.name, u.role as stage from users u
    where u.disabled_at is null and u.email_verified and (
      u.role = 'underwriter'
      or (u.role in ('group_admin', 'policy_holder')
        and exists (select from user_groups g where g.user_id = u.id and g.group_id = ${groupId}))
    )
    order by u.name, u.id`)
}

export async function requireDeciders(cx: Cx, claim: Claim): Promise<void> {
  const involved = claim.submittedBy ? [...claim.capturedBy, claim.submittedBy] : claim.capturedBy
  orRefuse(await loadDecidersFor(cx, involved, claim.groupId))
}

async function loadDecidersFor(cx: Cx, involved: readonly string[], groupId: string) {
  const group = await cx.tx.row<{ name: string }>(sql`select name from employer_groups where id = ${groupId}`)
  const reader = { groupName: group!.name, role: ruleActor(cx.actor).role }
  return decidersOf(involved, await loadDeciders(cx.tx, groupId), reader)
}

export const readClaimDeciders = query(claimsContract.deciders, async (cx) => {
  const { memberId, claimId = null } = cx.input
  const found = await cx.tx.row<{ groupId: string; capturedBy: string[] }>(sql`
    select m.group_id as "groupId", coalesce(c.captured_by, '{}') as "capturedBy"
    from members m left join claims c on c.id = ${claimId}::uuid and c.group_id = m.group_id
    where m.id = ${memberId}`)
  if (!found) throw refused("NOT_FOUND")
  const involved = [...found.capturedBy, ...preparerIds(ruleActor(cx.actor))]
  const deciders = await loadDecidersFor(cx, involved, found.groupId)
  return { nobody: isRefusal(deciders) ? (deciders.message ?? null) : null }
})
