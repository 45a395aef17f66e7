import { withdrawWaiver as decideWithdrawal } from "@milkwood/domain/claims/claim-review"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { and, eq, isNull, sql } from "drizzle-orm"
import { ruleActor } from "../platform/calls/actor.ts"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { loadChecklist } from "./claim-checklist.queries.ts"
import { claimDetail } from "./claim-detail.queries.ts"
import { lockClaim, saveClaim } from "./claim-record.ts"
import { claimDocumentWaivers } from "./claims.tables.ts"

export const withdrawWaiver = command(claimsContract.withdrawWaiver, async (cx) => {
  const { claimId, version, documents, reason } = cx.input
  const claim = await lockClaim(cx, claimId)
  expectVersion(claim, version)
  const actor = ruleActor(cx.actor)
  const withdrawn = orRefuse(decideWithdrawal(claim, await loadChecklist(cx.tx, claim), documents, reason, actor))
  await cx.tx
    .update(claimDocumentWaivers)
    .set({ withdrawnAt: cx.now, withdrawnBy: actor.userId, withdrawnReason: reason.trim() })
    .where(
      and(
        eq(claimDocumentWaivers.claimId, claimId),
        sql`${claimDocumentWaivers.documents} = ${sql.param(withdrawn.documents)}::text[]`,
        isNull(claimDocumentWaivers.withdrawnAt),
      ),
    )
  // After the update: the clock waits for the missing document.
  await saveClaim(cx, claim, withdrawn)
  return claimDetail(cx, claimId)
})
