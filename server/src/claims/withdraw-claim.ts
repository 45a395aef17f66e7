import { withdraw } from "@milkwood/domain/claims/claim-review"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { eq, sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { record } from "../platform/trail/facts.ts"
import { lockClaim } from "./claim-record.ts"
import { claims } from "./claims.tables.ts"

/** The nightly sweep removes the files of its documents a day later. */
export const withdrawClaim = command(claimsContract.withdraw, async (cx) => {
  const { claimId, version } = cx.input
  const claim = await lockClaim(cx, claimId)
  expectVersion(claim, version)
  const { facts } = orRefuse(withdraw(claim, ruleActor(cx.actor)))
  await cx.tx.run(sql`
    with papers as (delete from claim_documents where claim_id = ${claimId} returning file_id)
    delete from files where id in (select file_id from papers)`)
  await cx.tx.delete(claims).where(eq(claims.id, claimId))
  await record(cx, facts)
  return { number: claim.number }
})
