import { type Claim, documentTypeNames } from "@milkwood/domain/claims/claim"
import { requestDocuments } from "@milkwood/domain/claims/claim-review"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { sql } from "drizzle-orm"
import { type Cx, command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { queueMail } from "../platform/work/mail.ts"
import { claimDetail } from "./claim-detail.queries.ts"
import { lockClaim, saveClaim } from "./claim-record.ts"

export const requestClaimDocuments = command(claimsContract.requestDocuments, async (cx) => {
  const { claimId, version, documents, note } = cx.input
  const claim = await lockClaim(cx, claimId)
  expectVersion(claim, version)
  const requested = orRefuse(requestDocuments(claim, documents, note))
  await saveClaim(cx, claim, requested)
  await mailSubmitter(cx, requested.value, note.trim())
  return claimDetail(cx, claim.id)
})

async function mailSubmitter(cx: Cx, claim: Claim, note: string): Promise<void> {
  const submitter = await cx.tx.row<{ name: string; email: string }>(
    sql`select name, email from users where id = ${claim.submittedBy}`,
  )
  if (!submitter) return
  const list = claim.requestedDocuments.map((type) => `- ${documentTypeNames[type]}`).join("\n")
  await queueMail(cx, {
    to: submitter.email,
    subject: `Documents needed for claim ${claim.number}`,
    text: [
      `Hello ${submitter.name},`,
      `Claim ${claim.number} cannot go on without these documents:\n${list}`,
      ...(note ? [note] : []),
      `Add them here: ${cx.app.publicUrl}/claims/${claim.id}`,
    ].join("\n\n"),
    groupId: claim.groupId,
    about: { kind: "claim", id: claim.id },
  })
}
