import { randomUUID } from "node:crypto"
import { type DocumentType, documentTypeNames, documentTypes } from "@milkwood/domain/claims/claim"
import { newsOf } from "@milkwood/domain/claims/claim-facts"
import { claimLifecycle } from "@milkwood/domain/claims/claim-lifecycle"
import { seesMedical } from "@milkwood/domain/claims/claim-privacy"
import { handledBy } from "@milkwood/domain/claims/claim-review"
import { claimsContract, wrongStatus } from "@milkwood/domain/claims/claims.contract"
import { step } from "@milkwood/domain/kernel/lifecycle"
import { oneLine } from "@milkwood/domain/kernel/text"
import { eq, sql } from "drizzle-orm"
import { download } from "../http/download.ts"
import { fileKinds } from "../http/file-kinds.ts"
import { uuidOrNotFound } from "../http/file-route.ts"
import { upload } from "../http/upload.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { command, invalid, orRefuse, refused } from "../platform/calls/commands.ts"
import { claimDetail, visibleDocuments } from "./claim-detail.queries.ts"
import { lockClaim, saveClaim } from "./claim-record.ts"
import { claimDocuments } from "./claims.tables.ts"

/** Maximum upload of the specification. */
const limitBytes = 10 * 1024 * 1024

const inWords = (type: DocumentType, name: string) => `${documentTypeNames[type]}: ${name}`

/**
 * Adds a document to a claim that has not been routed: the file, its `documentType`, and a `documentName` (the file's
 * own name without one). A document that was asked for is then no longer missing. It does not change the claim's
 * version: the form that is open beside it stays current.
 */
export const attachClaimDocument = upload(
  {
    path: "/api/claims/:claimId/documents",
    permission: "claims.capture",
    summary: "Add a document to a claim",
    accept: [fileKinds.pdf, fileKinds.png, fileKinds.jpg, fileKinds.jpeg, fileKinds.docx],
    limit: async () => limitBytes,
    errors: wrongStatus,
  },
  async ({ params, fields, file, transaction }) => {
    const claimId = uuidOrNotFound(params.claimId)
    const documentType = documentTypes.find((type) => type === fields.documentType)
    if (!documentType) throw invalid([{ path: "documentType", message: "Choose the type of the document." }])
    const name = oneLine(fields.documentName ?? "") || file.name
    if (name.length > 200) throw invalid([{ path: "documentName", message: "At most 200 characters" }])
    return transaction(async (cx) => {
      const claim = await lockClaim(cx, claimId)
      orRefuse(step(claimLifecycle, claim, "changeDocuments"))
      const { groupId } = claim
      const saved = await cx.app.files.save(cx, {
        kind: "claim_document",
        name: file.name,
        mime: file.mime,
        groupId,
        content: file.content,
      })
      await cx.tx.insert(claimDocuments).values({
        id: randomUUID(),
        groupId,
        claimId,
        documentType,
        name,
        fileId: saved.id,
        uploadedBy: ruleActor(cx.actor).userId,
        uploadedAt: cx.now,
      })
      const requestedDocuments = claim.requestedDocuments.filter((type) => type !== documentType)
      const after = { document: inWords(documentType, name) }
      await saveClaim(cx, claim, {
        value: { ...claim, ...handledBy(claim, ruleActor(cx.actor)), requestedDocuments },
        facts:
          claim.status === "draft"
            ? []
            : [{ type: "ClaimDocumentAttached", ...newsOf(claim), documentType, documentName: name, after }],
      })
      return claimDetail(cx, claimId)
    })
  },
)

export const removeClaimDocument = command(claimsContract.removeDocument, async (cx) => {
  const claim = await lockClaim(cx, cx.input.claimId)
  orRefuse(step(claimLifecycle, claim, "changeDocuments"))
  const removed = await cx.tx
    .delete(claimDocuments)
    .where(sql`${eq(claimDocuments.id, cx.input.documentId)} and ${eq(claimDocuments.claimId, claim.id)}`)
    .returning()
  const document = removed[0]
  if (!document) throw refused("NOT_FOUND")
  // The row of the file goes with it; the bytes are swept from the disk a day later.
  await cx.tx.run(sql`delete from files where id = ${document.fileId}`)
  const { documentType, name: documentName } = document
  const before = { document: inWords(documentType, documentName) }
  await saveClaim(cx, claim, {
    value: { ...claim, ...handledBy(claim, ruleActor(cx.actor)) },
    facts:
      claim.status === "draft"
        ? []
        : [{ type: "ClaimDocumentRemoved", ...newsOf(claim), documentType, documentName, before }],
  })
  return claimDetail(cx, claim.id)
})

/** A document as a file; for a policy holder never one of the medical types, and without its own name. */
export const readClaimDocument = download(
  {
    path: "/api/claims/:claimId/documents/:documentId",
    permission: "claims.read",
    summary: "Read a document of a claim",
  },
  async ({ params, transaction }) => {
    const claimId = uuidOrNotFound(params.claimId)
    const documentId = uuidOrNotFound(params.documentId)
    return transaction(async ({ tx, actor }) => {
      const medical = seesMedical(ruleActor(actor).role)
      const found = await tx.row<{
        fileId: string
        name: string
        fileName: string
        mime: string
        documentType: DocumentType
        number: string
      }>(sql`
        select d.file_id as "fileId", f.name as "fileName", f.mime, d.document_type as "documentType", c.number
        from claim_documents d
        join claims c on c.id = d.claim_id
        join files f on f.id = d.file_id
        where d.id = ${documentId} and d.claim_id = ${claimId} and ${visibleDocuments(medical)}`)
      if (!found) throw refused("NOT_FOUND")
      const ending = found.fileName.slice(found.fileName.lastIndexOf("."))
      const name = medical ? found.fileName : `${found.number} ${documentTypeNames[found.documentType]}${ending}`
      return { fileId: found.fileId, name, mime: found.mime }
    })
  },
)
