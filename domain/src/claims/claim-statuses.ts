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
