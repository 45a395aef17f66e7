import type { Day } from "../kernel/calendar.ts"
import { diffFields } from "../kernel/changes.ts"
import type { StoredValues } from "../kernel/declared-field.ts"
import { type Decision, refuse } from "../kernel/refusal.ts"
import { shortNameList } from "../kernel/text.ts"
import { hasPermission, type Role } from "../platform/permission.ts"
import { type EmployerFact, groupFactHead } from "./employer-facts.ts"
import { employerFields } from "./employer-fields.ts"

export const employerStatuses = ["Active", "Closed"] as const
export type EmployerStatus = (typeof employerStatuses)[number]

export type EmployerDetails = StoredValues<typeof employerFields>

export interface Employer extends EmployerDetails {
  id: string
  name: string
  /** Null while the employer is open. */
  closedOn: Day | null
  closedReason: string | null
  version: number
}

export interface EmployerChange {
  value: Employer
  facts: EmployerFact[]
}

export const employerActions = ["edit", "close", "reopen"] as const
export type EmployerAction = (typeof employerActions)[number]

export const statusOf = ({ closedOn }: Pick<Employer, "closedOn">): EmployerStatus =>
  closedOn === null ? "Active" : "Closed"

/** The actor's current actions. A closed employer stays editable, because its invoices and claims go on. */
export function employerActionsOf(
  employer: Pick<Employer, "closedOn">,
  actor: { role: Role | null },
): EmployerAction[] {
  if (!hasPermission(actor.role, "policies.write")) return []
  return ["edit", employer.closedOn === null ? "close" : "reopen"]
}

/** Saves name and details. Records one fact for a new name and one for changed details. */
export function editEmployer(employer: Employer, values: EmployerDetails & { name: string }): EmployerChange {
  const value = { ...employer, ...values, version: employer.version + 1 }
  const head = groupFactHead(value)
  const details = diffFields<EmployerDetails>(
    employer,
    values,
    Object.keys(employerFields) as (keyof EmployerDetails)[],
  )
  const facts: EmployerFact[] = []
  if (values.name !== employer.name)
    facts.push({ type: "GroupRenamed", ...head, before: { name: employer.name }, after: { name: values.name } })
  if (Object.keys(details.after).length > 0) facts.push({ type: "GroupDetailsSaved", ...head, ...details })
  return { value, facts }
}

/**
 * Closes an employer, which then gets no new policies. HAS_OPEN_POLICIES while one of its policies is neither
 * terminated nor expired.
 */
export function closeEmployer(
  employer: Employer,
  reason: string,
  today: Day,
  openPolicies: readonly string[],
): Decision<EmployerChange, "WRONG_STATUS" | "HAS_OPEN_POLICIES"> {
  if (employer.closedOn !== null) return refuse("WRONG_STATUS", "The employer is already closed.")
  if (openPolicies.length > 0) {
    return refuse("HAS_OPEN_POLICIES", `Terminate the policies of this employer first: ${shortNameList(openPolicies)}.`)
  }
  const value = { ...employer, closedOn: today, closedReason: reason, version: employer.version + 1 }
  return { value, facts: [{ type: "GroupClosed", ...groupFactHead(value), reason }] }
}

/** WRONG_STATUS if the employer is open. */
export function reopenEmployer(employer: Employer): Decision<EmployerChange, "WRONG_STATUS"> {
  if (employer.closedOn === null) return refuse("WRONG_STATUS", "The employer is open.")
  const value = { ...employer, closedOn: null, closedReason: null, version: employer.version + 1 }
  return { value, facts: [{ type: "GroupReopened", ...groupFactHead(value) }] }
}
