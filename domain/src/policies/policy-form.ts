import type { MissingRequirement } from "./policy-rules.ts"

/** The steps of the policy wizard (specification 1: Create policy wizard). */
export const policySteps = [
  { id: "details", label: "Policy Details" },
  { id: "members", label: "Members" },
  { id: "documents", label: "Documents" },
  { id: "activate", label: "Activate" },
] as const
export type PolicyStep = (typeof policySteps)[number]["id"]

/** The first step with a missing field, or the last step. */
export function firstIncompleteStep(missing: readonly MissingRequirement[]): PolicyStep {
  const open = missing.map(stepOf)
  return policySteps.find(({ id }) => open.includes(id))?.id ?? "activate"
}

export function stepOf(missing: MissingRequirement): PolicyStep {
  return missing.field === "members" ? "members" : "details"
}
