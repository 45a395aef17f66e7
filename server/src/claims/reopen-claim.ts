import { reopen } from "@milkwood/domain/claims/claim-after-decision"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { claimsSettings } from "@milkwood/domain/claims/claims-settings"
import { sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { command, orRefuse, refused } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { readSettings } from "../platform/settings/store.ts"
import { claimDetail } from "./claim-detail.queries.ts"
import { lockClaim } from "./claim-record.ts"
import { saveReopenedClaim } from "./reopenings.ts"

export const reopenClaim = command(claimsContract.reopen, async (cx) => {
  const claim = await lockClaim(cx, cx.input.claimId)
  expectVersion(claim, cx.input.version)
  // The person was anonymised and will not be again: a new reason would remain.
  const member = await cx.tx.row(sql`select from members where id = ${claim.memberId} and forgotten_on is not null`)
  if (member) throw refused("WRONG_STATUS", "The member's data was removed. This claim cannot be reopened.")
  const { objectionDays } = await readSettings(cx.tx, claimsSettings)
  const reopened = orRefuse(reopen(claim, cx.input, ruleActor(cx.actor), { ...cx, objectionDays }))
  await saveReopenedClaim(cx, claim, reopened)
  return claimDetail(cx, claim.id)
})
