import type { ClaimType } from "../benefits/claim-type.ts"
import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"

/** The five steps of the claim form, in order (specification 1, section 2). */
export const claimStepKeys = ["member", "details", "incident", "documents", "review"] as const
export type ClaimStep = (typeof claimStepKeys)[number]

/** Every status of a claim, in the order a claim meets them. */
export const claimStatuses = [
  "draft",
  "submitted",
  "under_review",
  "pending_group_admin",
  "pending_underwriter",
  "pending_policy_holder",
  "approved",
  "rejected",
  "paid",
] as const
export type ClaimStatus = (typeof claimStatuses)[number]

/** A status as people read it; also the word on its badge. */
export const claimStatusNames: Record<ClaimStatus, string> = {
  draft: "Draft",
  submitted: "Submitted",
  under_review: "Under review",
  pending_group_admin: "Pending group admin",
  pending_underwriter: "Pending underwriter",
  pending_policy_holder: "Pending policy holder",
  approved: "Approved",
  rejected: "Rejected",
  paid: "Paid",
}

export { type ClaimType, claimTypeNames, claimTypes } from "../benefits/claim-type.ts"

/** The three stages of approval, in their order. Each is decided by an account whose role has the same name. */
export const stages = ["group_admin", "underwriter", "policy_holder"] as const
export type Stage = (typeof stages)[number]

export const stageNames: Record<Stage, string> = {
  group_admin: "Group administrator",
  underwriter: "Underwriter",
  policy_holder: "Policy holder",
}

export const documentTypes = [
  "medical_report",
  "death_certificate",
  "hospital_bill",
  "police_report",
  "id_document",
  "proof_of_relationship",
  "other",
] as const
export type DocumentType = (typeof documentTypes)[number]

export const documentTypeNames: Record<DocumentType, string> = {
  medical_report: "Medical report",
  death_certificate: "Death certificate",
  hospital_bill: "Hospital bill",
  police_report: "Police report",
  id_document: "ID document",
  proof_of_relationship: "Proof of relationship",
  other: "Other",
}

/** The tabs of the claim list and the statuses behind each (specification 1, section 4, "Tab grouping"). */
export const claimTabs = {
  all: claimStatuses,
  pending: ["submitted", "under_review", "pending_group_admin", "pending_underwriter", "pending_policy_holder"],
  approved: ["approved", "paid"],
  rejected: ["rejected"],
} as const satisfies Record<string, readonly ClaimStatus[]>

/** What people type into a claim; the rest of the record is the house's to set. */
export interface ClaimContent {
  memberId: string
  benefitId: string | null
  claimType: ClaimType | null
  incidentOn: Day | null
  notificationOn: Day | null
  /** What the incident cost. */
  claimAmountCents: Cents | null
  /** What is asked for. */
  requestedAmountCents: Cents | null
  description: string
  diagnosis: string
  hospitalName: string
  doctorName: string
  treatmentDetails: string
}

/** One stage of one round; a claim that is sent back starts a new round and keeps the old one on record. */
export interface ClaimApproval {
  round: number
  stage: Stage
  status: "pending" | "approved" | "rejected"
  comment: string | null
  /** Why less was approved than before it; null where nothing was taken off. The policy holder reads it. */
  reductionReason: string | null
  approvedAmountCents: Cents | null
  decidedBy: string | null
  /** In whose place, where the decider stood in for somebody. */
  decidedFor: string | null
  decidedAt: string | null
}

/** A claim as its rules see it. Instants are ISO text. */
export interface Claim extends ClaimContent {
  id: string
  number: string
  groupId: string
  policyId: string
  status: ClaimStatus
  version: number
  /** The round of approvals that counts, from 1. */
  round: number
  /** Everybody who typed into it, added papers, took it for review or routed it; none of them decides it. */
  capturedBy: string[]
  submittedBy: string | null
  submittedAt: string | null
  /** The manager who took it. */
  reviewedBy: string | null
  reviewedAt: string | null
  routedAt: string | null
  /** Document types asked for and not uploaded yet. */
  requestedDocuments: DocumentType[]
  groupAdminApprovalAt: string | null
  underwriterApprovalAt: string | null
  policyHolderApprovalAt: string | null
  finalApprovalAt: string | null
  approvedAmountCents: Cents | null
  rejectedAt: string | null
  rejectionReason: string | null
  paymentOn: Day | null
  /** Whether a payout for it waits or is on its way; a failed one is retried or cancelled first. */
  paymentStarted: boolean
  /** All rounds, oldest first. */
  approvals: ClaimApproval[]
}

/** Everything that can be changed by typing, and nothing else, taken from a claim. */
export function contentOf(claim: ClaimContent): ClaimContent {
  return {
    memberId: claim.memberId,
    benefitId: claim.benefitId,
    claimType: claim.claimType,
    incidentOn: claim.incidentOn,
    notificationOn: claim.notificationOn,
    claimAmountCents: claim.claimAmountCents,
    requestedAmountCents: claim.requestedAmountCents,
    description: claim.description,
    diagnosis: claim.diagnosis,
    hospitalName: claim.hospitalName,
    doctorName: claim.doctorName,
    treatmentDetails: claim.treatmentDetails,
  }
}
