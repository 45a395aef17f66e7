export const claimTypes = ["death", "disability", "medical", "maternity", "other"] as const
export type ClaimType = (typeof claimTypes)[number]

export const claimTypeNames: Record<ClaimType, string> = {
  death: "Death",
  disability: "Disability",
  medical: "Medical",
  maternity: "Maternity",
  other: "Other",
}
