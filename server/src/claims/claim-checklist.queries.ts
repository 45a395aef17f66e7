import type { DocumentType } from "@milkwood/domain/claims/claim"
import { isUnrouted, timeLeft } from "@milkwood/domain/claims/claim-clock"
import { canSeeCommentOf, canSeeMedical, medicalDocumentTypes } from "@milkwood/domain/claims/claim-privacy"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { claimsSettings } from "@milkwood/domain/claims/claims-settings"
import {
  type ChecklistFacts,
  type ChecklistLine,
  type DocumentEvidence,
  documentChecklist,
  isSameDocuments,
} from "@milkwood/domain/claims/required-documents"
import type { Role } from "@milkwood/domain/platform/permission"
import { type SQL, sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { readSettings } from "../platform/settings/store.ts"

const { requiredDocuments, extraHolidays } = claimsSettings

const attachedTypes = (claimId: SQL): SQL => sql`
  array(select distinct d.document_type from claim_documents d where d.claim_id = ${claimId})`

/** The documents that the settings require of a claim now, each with its state. */
export async function loadChecklist(tx: Tx, claim: ChecklistFacts & { id: string }): Promise<ChecklistLine[]> {
  const rules = (await readSettings(tx, { requiredDocuments })).requiredDocuments
  const evidence = await tx.preparedRow<DocumentEvidence>(sql`
    select ${attachedTypes(sql`${claim.id}::uuid`)} as attached, (
      select coalesce(jsonb_agg(w.documents), '[]') from claim_document_waivers w where w.claim_id = ${claim.id} and w.withdrawn_at is null) as waived`)
  return documentChecklist(claim, evidence!, rules)
}

type Waiver = { documents: DocumentType[]; by: string; byRole: string | null; at: string; reason: string }

/**
 * The checklist and the clock of a claim for this reader. A reader without medical access sees no requirement that
 * names a medical document, and no reasons of others.
 */
export async function loadClaimProgress(
  { tx, today }: Pick<Cx, "tx" | "today">,
  claim: { id: string; status: ClaimDetail["status"] },
  role: Role | null,
): Promise<Pick<ClaimDetail, "requiredDocuments" | "clock">> {
  const settings = await readSettings(tx, { requiredDocuments, extraHolidays })
  const found = await tx.preparedRow<
    ChecklistFacts & {
      promisedDays: number | null
      documentsCompleteAt: string | null
      dueOn: string | null
      workingDaysUsed: number | null
      attached: DocumentType[]
      waivers: Waiver[]
    }
  >(sql`
    select c.claim_type as "claimType", c.benefit_id as "benefitId", c.dependent_id as "dependentId",
      c.requested_amount_cents as "requestedAmountCents", c.promised_days as "promisedDays",
      c.documents_complete_at as "documentsCompleteAt", c.due_on as "dueOn", c.working_days_used as "workingDaysUsed",
      ${attachedTypes(sql`c.id`)} as attached, (
        select coalesce(jsonb_agg(jsonb_build_object('documents', w.documents, 'by', u.name, 'byRole', u.role,
          'at', w.waived_at, 'reason', w.reason) order by w.waived_at), '[]')
        from claim_document_waivers w join users u on u.id = w.waived_by where w.claim_id = c.id and w.withdrawn_at is null) as waivers
    from claims c where c.id = ${claim.id}`)
  const { attached, waivers, promisedDays, documentsCompleteAt, dueOn, workingDaysUsed, ...facts } = found!
  const evidence = { attached, waived: waivers.map(({ documents }) => documents) }
  const lines = documentChecklist(facts, evidence, settings.requiredDocuments)
  const isOpen = claim.status === "draft" || isUnrouted(claim.status)
  const left = timeLeft({ status: claim.status, promisedDays, dueOn, workingDaysUsed }, today, settings.extraHolidays)
  return {
    requiredDocuments: lines
      .filter(({ state }) => isOpen || state !== "missing")
      .filter(({ documents }) => canSeeMedical(role) || !documents.some((type) => medicalDocumentTypes.includes(type)))
      .map((line) => ({ ...line, waiver: waiverOf(line, waivers, role) })),
    clock: left && { state: left.state, text: left.text, promisedDays, documentsCompleteAt, dueOn },
  }
}

function waiverOf({ documents, state }: ChecklistLine, waivers: readonly Waiver[], reader: Role | null) {
  const waiver = state === "waived" ? waivers.find((other) => isSameDocuments(other.documents, documents)) : undefined
  if (!waiver) return null
  const { by, at, reason, byRole } = waiver
  return { by, at, reason: canSeeCommentOf(byRole, reader) ? reason : null }
}
