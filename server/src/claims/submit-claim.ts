import type { Claim, Stage } from "@milkwood/domain/claims/claim"
import { type Decider, decidersOf } from "@milkwood/domain/claims/claim-approval"
import { submit } from "@milkwood/domain/claims/claim-review"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { sql } from "drizzle-orm"
import { type Cx, command, orRefuse } from "../platform/commands.ts"
import { record } from "../platform/facts.ts"
import { claimDetail } from "./claim-detail.queries.ts"
import { claimActor, expectVersion, lockClaim, saveClaim } from "./claim-record.ts"

export const submitClaim = command(claimsContract.submit, async (cx) => {
  const claim = await lockClaim(cx, cx.input.claimId)
  await expectVersion(cx, claim, cx.input.version)
  const submitted = orRefuse(submit(claim, claimActor(cx.actor), cx.today, cx.now))
  const deciders = await claimDeciders(cx, submitted.claim)
  await saveClaim(cx, claim, submitted.claim)
  await record(cx, submitted.facts)
  return {
    claim: await claimDetail(cx, claim.id),
    deciders: {
      group_admin: names(deciders.group_admin),
      underwriter: names(deciders.underwriter),
      policy_holder: names(deciders.policy_holder),
    },
  }
})

/** Who can decide each stage of a claim; refuses NOBODY_TO_DECIDE, with the reason, when a stage has nobody. */
export async function claimDeciders(cx: Cx, claim: Claim): Promise<Record<Stage, Decider[]>> {
  const people = await cx.tx.rows<Decider>(sql`
    select u.id as "userId", u.name, u.role as stage from users u
    where u.disabled_at is null and u.email_verified and (
      u.role = 'underwriter'
      or (u.role in ('group_admin', 'policy_holder')
        and exists (select from user_groups g where g.user_id = u.id and g.group_id = ${claim.groupId}))
    )
    order by u.name, u.id`)
  const hands = claim.submittedBy ? [...claim.capturedBy, claim.submittedBy] : claim.capturedBy
  return orRefuse(decidersOf(hands, people))
}

const names = (people: Decider[]) => people.map(({ name }) => name)
