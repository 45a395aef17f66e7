import {
  type Claim,
  type ClaimApproval,
  type ClaimStatus,
  claimTabs,
  documentTypeNames,
  type Stage,
} from "@milkwood/domain/claims/claim"
import { previousAmount } from "@milkwood/domain/claims/claim-approval"
import { claimFieldNames } from "@milkwood/domain/claims/claim-form"
import { allowedActions, type ClaimDuties, refuseInvolved } from "@milkwood/domain/claims/claim-lifecycle"
import {
  canSeeCommentOf,
  canSeeField,
  canSeeMedical,
  medicalDocumentTypes,
  visibleDocumentTypes,
} from "@milkwood/domain/claims/claim-privacy"
import type { ClaimDetail, ClaimDocument } from "@milkwood/domain/claims/claim-shape"
import { maskIdNumber } from "@milkwood/domain/members/member"
import type { Role } from "@milkwood/domain/platform/permission"
import { type SQL, sql } from "drizzle-orm"
import { dependentName, tierOn } from "../members/cover.queries.ts"
import { ruleActor } from "../platform/calls/actor.ts"
import { type Cx, refused } from "../platform/calls/commands.ts"
import { documentsList } from "../platform/files/documents.ts"
import { decryptedDetail, timeline } from "../platform/trail/facts.ts"
import { loadClaimProgress } from "./claim-checklist.queries.ts"
import { type ClaimCover, loadClaimCover } from "./claim-cover.queries.ts"
import { loadDeciders } from "./claim-deciders.queries.ts"
import { hasCompletedPayment, hasPayments, hasStartedPayment } from "./claim-record.ts"
import { claimDocuments } from "./claims.tables.ts"
import { appealDays, loadReopenings } from "./reopenings.ts"
import { representedPersonSql, standInsOfClaim } from "./stand-ins.queries.ts"

type Found = Omit<
  ClaimDetail,
  | "approvals"
  | "deciders"
  | "documents"
  | "sentBack"
  | "reopenings"
  | "appealUntil"
  | "answerDueBy"
  | "timeline"
  | "coverCheck"
  | "warnings"
  | "allowedActions"
  | "maxCoverCents"
  | "coverPercentage"
  | "limitCents"
  | "proposedAmountCents"
  | "otherClaims"
  | "amountBeforeCents"
  | "medical"
  | "capturedBy"
  | "requiredDocuments"
  | "clock"
> &
  NonNullable<ClaimDetail["medical"]> & {
    capturedBy: string[]
    capturedByName: string
    submittedById: string | null
    standsInFor: string | null
    paymentStarted: boolean
    isPartlyPaid: boolean
    approvals: (ClaimApproval & { decidedByName: string | null })[]
    documents: ClaimDocument[]
  }

/**
 * A claim as visible to this reader; NOT_FOUND when it does not exist or is not visible. Pass `cover` if it has been
 * read already.
 */
export async function claimDetail(cx: Cx, claimId: string, cover?: ClaimCover): Promise<ClaimDetail> {
  const actor = ruleActor(cx.actor)
  const { role } = actor
  const medical = canSeeMedical(role)
  const found = await cx.tx.preparedRow<Found>(detailSql(cx, claimId, medical))
  if (!found) throw refused("NOT_FOUND")
  const { description, diagnosis, hospitalName, doctorName, treatmentDetails, billNumber, causeOfDeath, ...rest } =
    found
  const facts = { description, diagnosis, hospitalName, doctorName, treatmentDetails, billNumber, causeOfDeath }
  const { capturedByName, submittedById, standsInFor, paymentStarted, isPartlyPaid, approvals, documents, ...claim } =
    rest
  const payments = { paymentStarted, isPartlyPaid }
  const duties = { ...claim, ...payments, submittedBy: submittedById, standsInFor, approvals }
  const reopenings = await loadReopenings(cx, claimId, role)
  const { coverCheck, ...max } = cover ?? (await loadClaimCover(cx, claimId))
  return {
    ...claim,
    member: { ...claim.member, idNumber: medical ? claim.member.idNumber : maskIdNumber(claim.member.idNumber) },
    medical: medical ? facts : null,
    capturedBy: capturedByName,
    requestedDocuments: visibleDocumentTypes(claim.requestedDocuments, role),
    documents: documents.map((document) => hideFileName(document, medical)),
    approvals: approvals.map(({ decidedByName, decidedFor: _, ...approval }) => ({
      ...approval,
      decidedBy: decidedByName,
    })),
    amountBeforeCents: previousAmount({ ...claim, approvals } as Pick<
      Claim,
      "round" | "requestedAmountCents" | "approvals"
    >),
    ...max,
    coverCheck,
    ...(await loadClaimProgress(cx, claim, role)),
    deciders: await loadDecidersByStage(cx, claimId, duties, claim.group.id),
    sentBack: await loadSendBacks(cx, claimId, role),
    reopenings,
    ...(await appealDays(cx, claim, reopenings)),
    timeline: await loadClaimTimeline(cx, claimId, role),
    allowedActions: allowedActions(duties, actor),
  }
}

function detailSql(cx: Cx, claimId: string, medical: boolean): SQL {
  /** Medical columns are not even read for readers without medical access. */
  const kept = (column: SQL) => (medical ? column : sql`''`)
  return sql`
    select c.id, c.number, c.status, c.version, c.round,
      jsonb_build_object('id', m.id, 'number', m.number, 'firstName', m.first_name, 'lastName', m.last_name,
        'idNumber', m.id_number, 'tier', t.name) as member,
      jsonb_build_object('id', p.id, 'number', p.number, 'productType', pt.name) as policy,
      jsonb_build_object('id', g.id, 'name', g.name) as "group",
      case when d.id is not null then
        jsonb_build_object('id', d.id, 'name', ${dependentName}, 'relationship', d.relationship) end as dependent,
      case when b.id is not null then jsonb_build_object('id', b.id, 'name', b.name) end as benefit,
      c.claim_type as "claimType", c.incident_on as "incidentOn", c.notification_on as "notificationOn",
      c.incident_country as "incidentCountry", c.claim_amount_cents as "claimAmountCents", c.requested_amount_cents as "requestedAmountCents",
      c.approved_amount_cents as "approvedAmountCents",
      ${kept(sql`c.description`)} as description, ${kept(sql`c.diagnosis`)} as diagnosis,
      ${kept(sql`c.hospital_name`)} as "hospitalName", ${kept(sql`c.doctor_name`)} as "doctorName",
      ${kept(sql`c.treatment_details`)} as "treatmentDetails", ${kept(sql`c.bill_number`)} as "billNumber",
      ${medical ? sql`c.cause_of_death` : sql`null`} as "causeOfDeath",
      c.captured_by as "capturedBy",
      coalesce((select name from users where id = c.captured_by[1]), '') as "capturedByName",
      c.submitted_by as "submittedById", (select name from users where id = c.submitted_by) as "submittedBy",
      c.submitted_at as "submittedAt", (select name from users where id = c.reviewed_by) as "reviewedBy",
      c.routed_at as "routedAt", c.final_approval_at as "finalApprovalAt", c.rejected_at as "rejectedAt",
      ${medical ? sql`c.rejection_reason` : ownRejection} as "rejectionReason",
      c.withdrawn_at as "withdrawnAt", (select name from users where id = c.withdrawn_by) as "withdrawnBy",
      ${medical ? sql`c.withdrawal_reason` : sql`null::text`} as "withdrawalReason",
      c.payment_on as "paymentOn", c.requested_documents as "requestedDocuments",
      c.created_at as "createdAt", c.updated_at as "updatedAt", ${hasStartedPayment(cx.actor)} as "paymentStarted", ${hasCompletedPayment(cx.actor)} as "isPartlyPaid",
      ${hasPayments(cx.actor)} as "hasPayments", ${representedPersonSql(ruleActor(cx.actor), cx.today)} as "standsInFor",
      (select coalesce(jsonb_agg(jsonb_build_object(
          'round', a.round, 'stage', a.stage, 'status', a.status, 'approvedAmountCents', a.approved_amount_cents,
          'reductionReason', a.reduction_reason, 'comment', ${medical ? sql`a.comment` : sql`case when a.stage = 'policy_holder' and a.decided_for is null then a.comment end`},
          'decidedBy', a.decided_by, 'decidedFor', a.decided_for, 'decidedByName', (select name from users where id = a.decided_by)
            || coalesce(' for ' || (select name from users where id = a.decided_for), ''),
          'decidedAt', a.decided_at
        ) order by a.round, array_position(array['group_admin', 'underwriter', 'policy_holder'], a.stage)), '[]')
        from claim_approvals a where a.claim_id = c.id) as approvals,
      ${documentsList(claimDocuments, sql`d.claim_id = c.id and ${visibleDocuments(medical)}`, kept(sql`d.name`))} as documents
    from claims c
    join members m on m.id = c.member_id
    join policies p on p.id = c.policy_id
    join employer_groups g on g.id = c.group_id
    join benefit_tiers t on t.id = coalesce(c.cover_tier_id, ${tierOn(sql`c.incident_on`)})
    left join product_types pt on pt.id = (select product_type_id from policy_terms_on(p.id, c.incident_on))
    left join dependents d on d.id = c.dependent_id
    left join benefits b on b.id = c.benefit_id
    where c.id = ${claimId}`
}

const ownRejection = sql`
  case when exists (select from claim_approvals a
    where a.claim_id = c.id and a.round = c.round and a.stage = 'policy_holder' and a.status = 'rejected'
      and a.decided_for is null
  ) then c.rejection_reason end`

/** Excludes medical documents for readers without medical access. */
export function visibleDocuments(medical: boolean): SQL {
  return medical ? sql`true` : sql`d.document_type <> all (${sql.param([...medicalDocumentTypes])}::text[])`
}

function hideFileName(document: ClaimDocument, medical: boolean): ClaimDocument {
  return medical ? document : { ...document, name: documentTypeNames[document.documentType] }
}

async function loadDecidersByStage(
  cx: Cx,
  claimId: string,
  duties: ClaimDuties,
  groupId: string,
): Promise<ClaimDetail["deciders"]> {
  const open = (claimTabs.pending as readonly ClaimStatus[]).includes(duties.status)
  const people = open ? await loadDeciders(cx.tx, groupId) : []
  const namesOf = (stage: Stage) =>
    people
      .filter((person) => person.stage === stage && !refuseInvolved(duties, person.userId, stage))
      .map(({ name }) => name)
  const inPlace = open ? await standInsOfClaim(cx.tx, claimId, cx.today) : []
  return {
    group_admin: namesOf("group_admin"),
    underwriter: namesOf("underwriter"),
    policy_holder: [
      ...namesOf("policy_holder"),
      ...inPlace.filter(({ userId }) => !refuseInvolved(duties, userId, "policy_holder")).map(({ name }) => name),
    ],
  }
}

export async function loadClaimTimeline(
  cx: Cx,
  claimId: string,
  role: Role | null,
  before?: number,
): Promise<ClaimDetail["timeline"]> {
  const hide = (field: string) => !canSeeField(field, role) || idFields.has(field)
  const entries = await timeline(cx, "claim", claimId, { hide, before })
  return entries.map((entry) => ({
    ...entry,
    reason: canSeeCommentOf(entry.role, role) ? entry.reason : null,
    changes: entry.changes.toSorted((a, b) => fields.indexOf(a.field) - fields.indexOf(b.field)),
  }))
}

async function loadSendBacks({ tx }: Cx, claimId: string, reader: Role | null): Promise<ClaimDetail["sentBack"]> {
  const rows = await tx.preparedRows<ClaimDetail["sentBack"][number] & { role: string | null }>(sql`
    select round, by, role, at, reason from (
      select row_number() over (order by id) as round, fact, id, actor_name as by, actor_role as role, at,
        ${decryptedDetail()} ->> 'reason' as reason
      from audit_log where record_kind = 'claim' and record_id = ${claimId}
        and fact in ('ClaimSentBack', 'ClaimReopened', 'ClaimApprovalWithdrawn')
    ) opened where fact = 'ClaimSentBack' order by id`)
  return rows.map(({ role, reason, ...row }) => ({ ...row, reason: canSeeCommentOf(role, reader) ? reason : null }))
}

const fields = Object.keys(claimFieldNames)

const idFields = new Set(["memberId", "dependentId", "benefitId"])
