import { medicalDocumentTypes } from "@milkwood/domain/claims/claim-privacy"
import type { DocumentOpening } from "@milkwood/domain/claims/claim-shape"
import { claimsContract } from "@milkwood/domain/claims/claims.contract"
import { countedOpenings } from "@milkwood/domain/claims/document-openings"
import { sql } from "drizzle-orm"
import { type Cx, query, refused } from "../platform/calls/commands.ts"
import { writeTrail } from "../platform/trail/facts.ts"

export const listDocumentOpenings = query(claimsContract.openings, async ({ tx, input: { claimId } }) => {
  if (!(await tx.row(sql`select 1 from claims where id = ${claimId}`))) throw refused("NOT_FOUND")
  const openings = await tx.rows<DocumentOpening>(sql`
    select detail ->> 'documentId' as "documentId", actor_id as "byId", actor_name as by, actor_role as role, at
    from audit_log
    where record_kind = 'claim' and record_id = ${claimId} and fact in ('DocumentOpened', 'MedicalDocumentOpened')
      and detail ? 'documentId'
    order by id`)
  return countedOpenings(openings).reverse()
})

/** Records that the actor received all documents of the member's claims that were added up to `until`. */
export const recordOpeningsOfMember = (cx: Cx, memberId: string, until: string): Promise<void> =>
  writeTrail(
    cx,
    sql`
    select case when d.document_type = any (${sql.param([...medicalDocumentTypes])}::text[])
        then 'MedicalDocumentOpened' else 'DocumentOpened' end,
      'claim', c.id, c.number, c.group_id,
      jsonb_build_object('documentId', d.id, 'documentType', d.document_type),
      row_number() over (order by d.uploaded_at, d.id)
    from claim_documents d join claims c on c.id = d.claim_id
    where c.member_id = ${memberId} and d.uploaded_at <= ${until}`,
  )
