import { type Claim, type DocumentType, documentTypeNames } from "@milkwood/domain/claims/claim"
import { claimFactHead } from "@milkwood/domain/claims/claim-facts"
import { claimLifecycle } from "@milkwood/domain/claims/claim-lifecycle"
import { canSeeMedical, medicalDocumentTypes } from "@milkwood/domain/claims/claim-privacy"
import { addToCapturedBy } from "@milkwood/domain/claims/claim-review"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { claimsContract, wrongStatus } from "@milkwood/domain/claims/claims.contract"
import { applyTransition } from "@milkwood/domain/kernel/lifecycle"
import { missingDocumentTypes } from "@milkwood/domain/platform/documents"
import { sql } from "drizzle-orm"
import { attachDocument, readDocument } from "../http/document-routes.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, command, orRefuse } from "../platform/calls/commands.ts"
import { type DocumentModule, removeDocument } from "../platform/files/documents.ts"
import { writeView } from "../platform/trail/looks.ts"
import { loadChecklist } from "./claim-checklist.queries.ts"
import { claimDetail, visibleDocuments } from "./claim-detail.queries.ts"
import { lockClaim, saveClaim } from "./claim-record.ts"
import { claimDocuments } from "./claims.tables.ts"

/**
 * Documents can change until the claim is routed. They do not change its version, so an open form stays current. An
 * upload ends the request for that document type. A policy holder gets no medical documents and no file names.
 */
const documentsOfClaims: DocumentModule<Claim, DocumentType, ClaimDetail> = {
  record: "claim",
  path: "/api/claims",
  permissions: { read: "claims.read", write: "claims.capture" },
  types: () => documentTypeNames,
  table: claimDocuments,
  errors: wrongStatus,
  async lock(cx, claimId) {
    const claim = await lockClaim(cx, claimId)
    orRefuse(applyTransition(claimLifecycle, claim, "changeDocuments"))
    return claim
  },
  async save(cx, claim, { act, documentType, name: documentName, inWords }) {
    const attached = act === "attached"
    const brought = attached ? await broughtTypes(cx, claim, documentType) : []
    const requestedDocuments = missingDocumentTypes(claim.requestedDocuments, brought)
    const news = { ...claimFactHead(claim), documentType, documentName }
    const fact = attached
      ? { type: "ClaimDocumentAttached" as const, ...news, after: { document: inWords } }
      : { type: "ClaimDocumentRemoved" as const, ...news, before: { document: inWords } }
    await saveClaim(cx, claim, {
      value: { ...claim, ...addToCapturedBy(claim, ruleActor(cx.actor)), requestedDocuments },
      facts: claim.status === "draft" ? [] : [fact],
    })
    return claimDetail(cx, claim.id)
  },
  visible: ({ actor }) => visibleDocuments(canSeeMedical(ruleActor(actor).role)),
  async opened(cx, { recordId, documentId, documentType }) {
    const claim = await cx.tx.row<{ number: string; groupId: string }>(sql`
      select number, group_id as "groupId" from claims where id = ${recordId}`)
    const about = { record: { kind: "claim" as const, id: recordId, label: claim!.number }, groupId: claim!.groupId }
    const type = medicalDocumentTypes.includes(documentType) ? "MedicalDocumentOpened" : "DocumentOpened"
    await writeView(cx, { type, ...about, documentId, documentType })
  },
  async fileName({ tx, actor }, { recordId, documentType, fileName }) {
    if (canSeeMedical(ruleActor(actor).role)) return fileName
    const claim = await tx.row<{ number: string }>(sql`select number from claims where id = ${recordId}`)
    return `${claim!.number} ${documentTypeNames[documentType]}${fileName.slice(fileName.lastIndexOf("."))}`
  },
}

/** The uploaded type, and its alternatives: a requirement needs only one of its documents. */
async function broughtTypes(cx: Cx, claim: Claim, uploaded: DocumentType): Promise<DocumentType[]> {
  if (claim.requestedDocuments.length === 0) return []
  const lines = (await loadChecklist(cx.tx, claim)).filter(({ documents }) => documents.includes(uploaded))
  const needed = (type: DocumentType) => lines.some(({ documents }) => documents.length === 1 && documents[0] === type)
  return [uploaded, ...lines.flatMap(({ documents }) => documents).filter((type) => !needed(type))]
}

export const attachClaimDocument = attachDocument(documentsOfClaims)
export const readClaimDocument = readDocument(documentsOfClaims)

export const removeClaimDocument = command(claimsContract.removeDocument, (cx) =>
  removeDocument(cx, documentsOfClaims, cx.input.claimId, cx.input.documentId),
)
