import { reassign } from "@milkwood/domain/claims/claim-review"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { permissions } from "@milkwood/domain/platform/permission"
import { type SQL, sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { command, invalidInput, orRefuse, query } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import type { Tx } from "../platform/database/database.ts"
import { claimDetail } from "./claim-detail.queries.ts"
import { lockClaim, saveClaim } from "./claim-record.ts"

export const listReviewers = query(claimsContract.reviewers, ({ tx }) => reviewers(tx))

export const reassignClaim = command(claimsContract.reassign, async (cx) => {
  const { claimId, version, userId } = cx.input
  const claim = await lockClaim(cx, claimId)
  expectVersion(claim, version)
  const [to] = await reviewers(cx.tx, sql`and u.id = ${userId}`)
  if (!to) throw invalidInput([{ path: "userId", message: "Choose a person who can review claims." }])
  await saveClaim(cx, claim, orRefuse(reassign(claim, to, ruleActor(cx.actor), cx.now)))
  return claimDetail(cx, claimId)
})

const reviewers = (tx: Tx, which: SQL = sql``) =>
  tx.rows<{ userId: string; name: string }>(sql`
    select u.id as "userId", u.name from users u
    where u.disabled_at is null and u.email_verified
      and u.role = any (${sql.param([...permissions["claims.review"]])}::text[]) ${which}
    order by lower(u.name), u.id`)
