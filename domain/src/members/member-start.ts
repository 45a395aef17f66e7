import type { Day } from "../kernel/calendar.ts"
import type { PolicyStatus } from "../policies/policy.ts"

/**
 * Default start: the policy's start while it is a draft or in the future, otherwise today. Used by the form, the bulk
 * dialog and staff lists.
 */
export function defaultStart(policy: { status: PolicyStatus; startOn: Day | null }, today: Day): Day {
  if (policy.startOn === null) return today
  return policy.status === "Draft" || policy.startOn > today ? policy.startOn : today
}
