import type { ClaimType } from "../benefits/claim-type.ts"
import type { PremiumStanding } from "../billing/premium-standing.ts"
import type { Day } from "../kernel/calendar.ts"
import type { Cents } from "../kernel/money.ts"
import type { ClaimClock } from "./claim-clock.ts"

export const claimStepKeys = ["member", "details", "incident", "documents", "review"] as const
export type ClaimStep = (typeof claimStepKeys)[number]

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
  "withdrawn",
] as const
export type ClaimStatus = (typeof claimStatuses)[number]

export const claimStatusNames: Record<ClaimStatus, string> = {
  draft: "Draft",
  submitted: "Submitted",
  under_review: "Under review",
  pending_group_admin: "Pending group administrator",
  pending_underwriter: "Pending underwriter",
  pending_policy_holder: "Pending policy holder",
  approved: "Approved",
  rejected: "Rejected",
  paid: "Paid",
  withdrawn: "Withdrawn",
}

export { type ClaimType, claimTypeNames, claimTypes } from "../benefits/claim-type.ts"

/** The stages of approval in order. The role with the same name decides each. */
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

export const causesOfDeath = ["natural", "accident", "suicide", "unknown"] as const
export type CauseOfDeath = (typeof causesOfDeath)[number]

export const causeOfDeathNames: Record<CauseOfDeath, string> = {
  natural: "Natural",
  accident: "Accident",
  suicide: "Suicide",
  unknown: "Unknown",
}

/** Tabs of the claim list and their statuses (specification 1, section 4, "Tab grouping"). Only `all` has withdrawn claims. */
export const claimTabs = {
  all: claimStatuses,
  pending: ["submitted", "under_review", "pending_group_admin", "pending_underwriter", "pending_policy_holder"],
  approved: ["approved", "paid"],
  rejected: ["rejected"],
} as const satisfies Record<string, readonly ClaimStatus[]>

export interface ClaimContent {
  memberId: string
  /** The insured person; null is the member. */
  dependentId: string | null
  benefitId: string | null
  claimType: ClaimType | null
  incidentOn: Day | null
  notificationOn: Day | null
  claimAmountCents: Cents | null
  requestedAmountCents: Cents | null
  /** Null unless the claim type is death. */
  causeOfDeath: CauseOfDeath | null
  description: string
  diagnosis: string
  hospitalName: string
  doctorName: string
  treatmentDetails: string
  /** Number of the bill; empty for claims without one. */
  billNumber: string
  /** ISO 3166-1 alpha-2. */
  incidentCountry: string
}

/** One stage of one round. Sending a claim back or reopening it starts a new round and keeps the old one. */
export interface ClaimApproval {
  round: number
  stage: Stage
  status: "pending" | "approved" | "rejected"
  comment: string | null
  /** Why less was approved than before, or null. The policy holder can read it. */
  reductionReason: string | null
  approvedAmountCents: Cents | null
  decidedBy: string | null
  decidedFor: string | null
  decidedAt: string | null
  /** How cover limited the amount at the last approval; null before it, and for approvals by earlier versions. */
  working?: ApprovalWorking | null
}

/** The working of a proposed amount, as it was when the claim was approved. */
export interface ApprovalWorking {
  proposedAmountCents: Cents
  lines: string[]
}

/** Instants are ISO text. */
export interface Claim extends ClaimContent, ClaimClock {
  id: string
  number: string
  groupId: string
  policyId: string
  status: ClaimStatus
  version: number
  /** The current round of approvals, from 1. */
  round: number
  /** All users who edited the claim, added documents, reviewed or routed it; none of them may decide it. */
  capturedBy: string[]
  submittedBy: string | null
  submittedAt: string | null
  /** Premium standing on the submission day; null in a draft. */
  premiumStanding: PremiumStanding["state"] | null
  /** When an approver last accepted facts recorded after submission. */
  coverAcceptedAt: string | null
  reviewedBy: string | null
  reviewedAt: string | null
  routedAt: string | null
  /** Documents that were requested and are not uploaded yet. */
  requestedDocuments: DocumentType[]
  groupAdminApprovalAt: string | null
  underwriterApprovalAt: string | null
  policyHolderApprovalAt: string | null
  finalApprovalAt: string | null
  approvedAmountCents: Cents | null
  rejectedAt: string | null
  rejectionReason: string | null
  withdrawnAt: string | null
  withdrawnBy: string | null
  withdrawalReason: string | null
  paymentOn: Day | null
  /** Whether a payout is waiting or in progress; a failed one must be retried or cancelled first. */
  paymentStarted: boolean
  /** Whether a payment was completed and not returned. */
  isPartlyPaid: boolean
  approvals: ClaimApproval[]
}

export function contentOf(claim: ClaimContent): ClaimContent {
  return {
    memberId: claim.memberId,
    dependentId: claim.dependentId,
    benefitId: claim.benefitId,
    claimType: claim.claimType,
    incidentOn: claim.incidentOn,
    notificationOn: claim.notificationOn,
    claimAmountCents: claim.claimAmountCents,
    requestedAmountCents: claim.requestedAmountCents,
    causeOfDeath: causeOfDeathOf(claim),
    description: claim.description,
    diagnosis: claim.diagnosis,
    hospitalName: claim.hospitalName,
    doctorName: claim.doctorName,
    treatmentDetails: claim.treatmentDetails,
    billNumber: billNumberOf(claim),
    incidentCountry: claim.incidentCountry,
  }
}

/** A death claim without a cause has the cause unknown; other claims have none. */
export const causeOfDeathOf = ({ claimType, causeOfDeath }: Pick<ClaimContent, "claimType" | "causeOfDeath">) =>
  claimType === "death" ? (causeOfDeath ?? "unknown") : null

export const billedClaimTypes: readonly (ClaimType | null)[] = ["medical", "maternity", "other"]

const billNumberOf = ({ claimType, billNumber }: Pick<ClaimContent, "claimType" | "billNumber">) =>
  billedClaimTypes.includes(claimType) ? billNumber : ""
