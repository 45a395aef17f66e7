import type { Day } from "../kernel/calendar.ts"
import type { PolicyStatus } from "../policies/policy.ts"

/**
 * When membership starts where nobody says: with the policy while that is a draft or still to start, otherwise today.
 * The same for the form, for lines of the bulk dialog and for rows of a staff list.
 */
export function defaultStart(policy: { status: PolicyStatus; startOn: Day | null }, today: Day): Day {
  if (policy.startOn === null) return today
  return policy.status === "Draft" || policy.startOn > today ? policy.startOn : today
}
