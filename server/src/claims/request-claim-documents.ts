import { type Claim, documentTypeNames } from "@milkwood/domain/claims/claim"
import type { documentsRequestedTemplate } from "@milkwood/domain/claims/claim-mails"
import { requestDocuments } from "@milkwood/domain/claims/claim-review"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { claimsSettings } from "@milkwood/domain/claims/claims-settings"
import { fillMail, type MailValues } from "@milkwood/domain/platform/mail-template"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { sql } from "drizzle-orm"
import { type Cx, command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { readSettings } from "../platform/settings/store.ts"
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
  const { organisation, documentsRequestedMail } = await readSettings(cx.tx, { ...claimsSettings, ...platformSettings })
  const mail = fillMail(documentsRequestedMail, {
    name: submitter.name,
    claim: claim.number,
    documents: claim.requestedDocuments.map((type) => `- ${documentTypeNames[type]}`).join("\n"),
    note,
    link: `${cx.app.publicUrl}/claims/${claim.id}`,
    organisation: organisation.name,
  } satisfies MailValues<typeof documentsRequestedTemplate>)
  await queueMail(cx, {
    to: submitter.email,
    ...mail,
    groupId: claim.groupId,
    about: { kind: "claim", id: claim.id },
  })
}
