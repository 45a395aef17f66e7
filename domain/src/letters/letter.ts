export const letterRecords = ["claim", "member", "policy"] as const
export type LetterRecord = (typeof letterRecords)[number]

export const letterKinds = [
  "claim_received",
  "claim_documents",
  "claim_approved",
  "claim_rejected",
  "payment_advice",
  "cover_confirmation",
  "joining_certificate",
  "policy_schedule",
] as const
export type LetterKind = (typeof letterKinds)[number]

export const letterKindNames: Record<LetterKind, string> = {
  claim_received: "Claim received",
  claim_documents: "Documents needed",
  claim_approved: "Claim approved",
  claim_rejected: "Claim rejected",
  payment_advice: "Payment advice",
  cover_confirmation: "Confirmation of cover",
  joining_certificate: "Joining certificate",
  policy_schedule: "Policy schedule",
}

export const recordOfLetter: Record<LetterKind, LetterRecord> = {
  claim_received: "claim",
  claim_documents: "claim",
  claim_approved: "claim",
  claim_rejected: "claim",
  payment_advice: "claim",
  cover_confirmation: "member",
  joining_certificate: "member",
  policy_schedule: "policy",
}

/** A line of a table, with formatted amounts. Totals are bold. */
export interface LetterRow {
  label: string
  value: string
  isTotal: boolean
}

/** A paragraph, or a table. */
export type LetterBlock = { text: string } | { rows: LetterRow[] }

/** The final wording of a letter, as printed. */
export interface LetterWording {
  title: string
  /** Name and address of the recipient, one line each. */
  addressee: string[]
  /** Number of the record. */
  reference: string
  blocks: LetterBlock[]
}
