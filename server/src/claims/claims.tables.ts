import { coverGaps, coverYears } from "@milkwood/domain/benefits/benefit-terms"
import { premiumStates } from "@milkwood/domain/billing/premium-standing"
import {
  type ApprovalWorking,
  causesOfDeath,
  claimStatuses,
  claimTypes,
  type DocumentType,
  documentTypes,
  stages,
} from "@milkwood/domain/claims/claim"
import type { ClockPause } from "@milkwood/domain/claims/claim-clock"
import type { PayeeBasis, PayeeReceiver, PayeeRelationship } from "@milkwood/domain/claims/claim-payees"
import { reopeningKinds } from "@milkwood/domain/claims/reopening"
import { reserveCauses } from "@milkwood/domain/claims/reserve"
import { homeCountry } from "@milkwood/domain/kernel/country"
import { noteDirections, noteKinds } from "@milkwood/domain/platform/note"
import { boolean, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core"
import { cents, day, groupId, id, instant, version } from "../platform/database/columns.ts"

export const claims = pgTable("claims", {
  id: id(),
  groupId: groupId(),
  policyId: uuid("policy_id").notNull(),
  memberId: uuid("member_id").notNull(),
  dependentId: uuid("dependent_id"),
  number: text("number").notNull(),
  status: text("status", { enum: claimStatuses }).notNull().default("draft"),
  round: integer("round").notNull().default(1),
  benefitId: uuid("benefit_id"),
  claimType: text("claim_type", { enum: claimTypes }),
  incidentOn: day("incident_on"),
  notificationOn: day("notification_on"),
  claimAmountCents: cents("claim_amount_cents"),
  requestedAmountCents: cents("requested_amount_cents"),
  approvedAmountCents: cents("approved_amount_cents"),
  causeOfDeath: text("cause_of_death", { enum: causesOfDeath }),
  description: text("description").notNull().default(""),
  diagnosis: text("diagnosis").notNull().default(""),
  hospitalName: text("hospital_name").notNull().default(""),
  doctorName: text("doctor_name").notNull().default(""),
  treatmentDetails: text("treatment_details").notNull().default(""),
  billNumber: text("bill_number").notNull().default(""),
  incidentCountry: text("incident_country").notNull().default(homeCountry),
  capturedBy: uuid("captured_by").array().notNull(),
  submittedBy: uuid("submitted_by"),
  submittedAt: instant("submitted_at"),
  reviewedBy: uuid("reviewed_by"),
  reviewedAt: instant("reviewed_at"),
  routedAt: instant("routed_at"),
  requestedDocuments: text("requested_documents").array().$type<DocumentType[]>().notNull().default([]),
  groupAdminApprovalAt: instant("group_admin_approval_at"),
  underwriterApprovalAt: instant("underwriter_approval_at"),
  policyHolderApprovalAt: instant("policy_holder_approval_at"),
  finalApprovalAt: instant("final_approval_at"),
  rejectedAt: instant("rejected_at"),
  rejectionReason: text("rejection_reason"),
  withdrawnAt: instant("withdrawn_at"),
  withdrawnBy: uuid("withdrawn_by"),
  withdrawalReason: text("withdrawal_reason"),
  paymentOn: day("payment_on"),
  promisedDays: integer("promised_days"),
  documentsCompleteAt: instant("documents_complete_at"),
  documentPauses: jsonb("document_pauses").$type<ClockPause[]>().notNull().default([]),
  dueOn: day("due_on"),
  workingDaysUsed: integer("working_days_used"),
  // Set by the database at submission; null in a draft.
  coverTierId: uuid("cover_tier_id"),
  maxCoverCents: cents("max_cover_cents"),
  coverPercentage: integer("cover_percentage"),
  coverProductTypeId: uuid("cover_product_type_id"),
  coverIncidentLimitCents: cents("cover_incident_limit_cents"),
  coverYearLimitCents: cents("cover_year_limit_cents"),
  coverYear: text("cover_year", { enum: coverYears }),
  coverGap: text("cover_gap", { enum: coverGaps }),
  coverAcceptedAt: instant("cover_accepted_at"),
  premiumStanding: text("premium_standing", { enum: premiumStates }),
  // Copied from the member by a trigger, for search and cover checks.
  memberLastNameKey: text("member_last_name_key"),
  memberNameKey: text("member_name_key"),
  memberStartOn: day("member_start_on"),
  memberEndOn: day("member_end_on"),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
  version: version(),
})

export const claimApprovals = pgTable("claim_approvals", {
  id: id(),
  groupId: groupId(),
  claimId: uuid("claim_id").notNull(),
  round: integer("round").notNull(),
  stage: text("stage", { enum: stages }).notNull(),
  status: text("status", { enum: ["pending", "approved", "rejected"] })
    .notNull()
    .default("pending"),
  comment: text("comment"),
  reductionReason: text("reduction_reason"),
  approvedAmountCents: cents("approved_amount_cents"),
  decidedBy: uuid("decided_by"),
  decidedFor: uuid("decided_for"),
  decidedAt: instant("decided_at"),
  working: jsonb("working").$type<ApprovalWorking>(),
  createdAt: instant("created_at").notNull(),
})

/** The decision that each reopening undid. Rows cannot be changed. */
export const claimReopenings = pgTable("claim_reopenings", {
  id: id(),
  groupId: groupId(),
  claimId: uuid("claim_id").notNull(),
  kind: text("kind", { enum: reopeningKinds }).notNull(),
  round: integer("round").notNull(),
  reason: text("reason").notNull(),
  receivedOn: day("received_on"),
  isLate: boolean("is_late").notNull(),
  policyId: uuid("policy_id").notNull(),
  decidedAt: instant("decided_at").notNull(),
  rejectionReason: text("rejection_reason"),
  approvedAmountCents: cents("approved_amount_cents"),
  reopenedBy: uuid("reopened_by").notNull(),
  reopenedAt: instant("reopened_at").notNull(),
})

/** Movements of the reserve. Rows cannot be changed; the last one of a claim is its reserve. */
export const claimReserveMovements = pgTable("claim_reserve_movements", {
  id: id(),
  groupId: groupId(),
  claimId: uuid("claim_id").notNull(),
  seq: integer("seq").notNull(),
  policyId: uuid("policy_id").notNull(),
  cause: text("cause", { enum: reserveCauses }).notNull(),
  movedOn: day("moved_on").notNull(),
  changeCents: cents("change_cents").notNull(),
  reserveCents: cents("reserve_cents").notNull(),
  setCents: cents("set_cents"),
  reason: text("reason").notNull().default(""),
  source: text("source").notNull(),
  movedBy: uuid("moved_by"),
  movedAt: instant("moved_at").notNull(),
})

export const claimDocuments = pgTable("claim_documents", {
  id: id(),
  groupId: groupId(),
  claimId: uuid("claim_id").notNull(),
  documentType: text("document_type", { enum: documentTypes }).notNull(),
  name: text("name").notNull(),
  fileId: uuid("file_id").notNull(),
  uploadedBy: uuid("uploaded_by").notNull(),
  uploadedAt: instant("uploaded_at").notNull(),
})

export const claimPayeeSets = pgTable("claim_payee_sets", {
  id: id(),
  groupId: groupId(),
  claimId: uuid("claim_id").notNull(),
  basis: text("basis").$type<PayeeBasis>().notNull(),
  reason: text("reason").notNull().default(""),
  recordedBy: uuid("recorded_by").notNull(),
  recordedAt: instant("recorded_at").notNull(),
  supersededAt: instant("superseded_at"),
})

export const claimPayees = pgTable("claim_payees", {
  id: id(),
  groupId: groupId(),
  setId: uuid("set_id").notNull(),
  position: integer("position").notNull(),
  name: text("name").notNull(),
  relationship: text("relationship").$type<PayeeRelationship>().notNull(),
  idNumber: text("id_number"),
  dateOfBirth: day("date_of_birth"),
  shareBasisPoints: integer("share_basis_points").notNull(),
  receivedBy: text("received_by").$type<PayeeReceiver>().notNull(),
  receiverName: text("receiver_name").notNull().default(""),
  bank: text("bank").notNull().default(""),
  branchCode: text("branch_code").notNull().default(""),
  accountNumber: text("account_number").notNull().default(""),
  email: text("email").notNull().default(""),
  version: version(),
  /** Users who recorded or changed the account. */
  preparedBy: uuid("prepared_by").array().notNull(),
})

export const claimDocumentWaivers = pgTable("claim_document_waivers", {
  id: id(),
  groupId: groupId(),
  claimId: uuid("claim_id").notNull(),
  documents: text("documents").array().$type<DocumentType[]>().notNull(),
  reason: text("reason").notNull(),
  waivedBy: uuid("waived_by").notNull(),
  waivedAt: instant("waived_at").notNull(),
  withdrawnAt: instant("withdrawn_at"),
  withdrawnBy: uuid("withdrawn_by"),
  withdrawnReason: text("withdrawn_reason"),
})

export const claimStandIns = pgTable("claim_stand_ins", {
  id: id(),
  personId: uuid("person_id").notNull(),
  standInId: uuid("stand_in_id").notNull(),
  fromOn: day("from_on").notNull(),
  untilOn: day("until_on").notNull(),
  namedBy: uuid("named_by").notNull(),
  createdAt: instant("created_at").notNull(),
  endedAt: instant("ended_at"),
})

/** Only for the insurer's staff. May contain medical facts. */
export const claimNotes = pgTable("claim_notes", {
  id: id(),
  groupId: groupId(),
  claimId: uuid("claim_id").notNull(),
  kind: text("kind", { enum: noteKinds }).notNull(),
  direction: text("direction", { enum: noteDirections }),
  person: text("person").notNull().default(""),
  contact: text("contact").notNull().default(""),
  text: text("text").notNull(),
  happenedOn: day("happened_on").notNull(),
  followUpOn: day("follow_up_on"),
  followedUpAt: instant("followed_up_at"),
  followedUpBy: uuid("followed_up_by"),
  writtenAt: instant("written_at").notNull(),
  writtenBy: uuid("written_by").notNull(),
  struckAt: instant("struck_at"),
  struckReason: text("struck_reason"),
})
