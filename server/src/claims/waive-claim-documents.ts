import { randomUUID } from "node:crypto"
import { waiveDocuments } from "@milkwood/domain/claims/claim-review"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { ruleActor } from "../platform/calls/actor.ts"
import { command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { loadChecklist } from "./claim-checklist.queries.ts"
import { claimDetail } from "./claim-detail.queries.ts"
import { lockClaim, saveClaim } from "./claim-record.ts"
import { claimDocumentWaivers } from "./claims.tables.ts"

export const waiveClaimDocuments = command(claimsContract.waiveDocuments, async (cx) => {
  const { claimId, version, documents, reason } = cx.input
  const claim = await lockClaim(cx, claimId)
  expectVersion(claim, version)
  const actor = ruleActor(cx.actor)
  const waived = orRefuse(waiveDocuments(claim, await loadChecklist(cx.tx, claim), documents, reason, actor))
  await cx.tx.insert(claimDocumentWaivers).values({
    id: randomUUID(),
    groupId: claim.groupId,
    claimId,
    documents: waived.documents,
    reason: reason.trim(),
    waivedBy: actor.userId,
    waivedAt: cx.now,
  })
  // After the insert: the clock starts when nothing is missing any more.
  await saveClaim(cx, claim, waived)
  return claimDetail(cx, claimId)
})
