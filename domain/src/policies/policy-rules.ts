import type { EmployerFact } from "../employers/employer-facts.ts"
import { addDays, addMonths, type Day, firstOfMonth } from "../kernel/calendar.ts"
import { step } from "../kernel/lifecycle.ts"
import type { FieldError } from "../kernel/procedure.ts"
import { type Decision, isRefusal, refuse } from "../kernel/refusal.ts"
import type { Policy, PolicyStatus } from "./policy.ts"
import { newsOf, type PolicyFact } from "./policy-facts.ts"
import { isRenewable, policyLifecycle, renewalDays } from "./policy-lifecycle.ts"

/** What activation asks for (product: Policies); each is named as it stands on the form. */
export const activationRequirements = [
  { field: "groupName", label: "Group name", met: (p) => p.groupName.trim() !== "" },
  { field: "productTypeId", label: "Product type", met: (p) => p.productTypeId !== null },
  { field: "startOn", label: "Start date", met: (p) => p.startOn !== null },
  { field: "premiumCents", label: "Premium", met: (p) => p.premiumCents > 0 || p.rated },
  { field: "contactName", label: "Contact name", met: (p) => p.contactName.trim() !== "" },
  { field: "contactEmail", label: "Contact e-mail", met: (p) => p.contactEmail.trim() !== "" },
  { field: "members", label: "At least one member", met: (p) => p.members > 0 },
] as const satisfies { field: string; label: string; met: (policy: Activatable) => boolean }[]

/** What is read of a draft to tell whether it can be activated; `members` is how many it has,
 * `rated` whether rates stand in place of the premium. */
export type Activatable = Pick<
  Policy,
  "groupName" | "productTypeId" | "startOn" | "premiumCents" | "contactName" | "contactEmail"
> & { members: number; rated: boolean }

export interface Missing {
  field: string
  label: string
}

/** What a draft still lacks before it can be activated, in the order of the form; empty when nothing. */
export function missingForActivation(policy: Activatable): Missing[] {
  return activationRequirements.filter(({ met }) => !met(policy)).map(({ field, label }) => ({ field, label }))
}

/** A policy after a rule, and the news about it. */
export interface PolicyChange {
  value: Policy
  facts: (PolicyFact | EmployerFact)[]
}

/** The policy with these changes and the next version. */
export function changed(policy: Policy, changes: Partial<Policy>, facts: PolicyChange["facts"]): PolicyChange {
  return { value: { ...policy, ...changes, version: policy.version + 1 }, facts }
}

/**
 * Activates a draft that has so many members. Refuses with WRONG_STATUS, or with INCOMPLETE and the list of what is
 * missing. The news holds what the draft said, with its product type by name.
 */
export function activatePolicy(
  draft: Policy,
  { members, productType }: { members: number; productType: string | null },
  now: Temporal.Instant,
): Decision<PolicyChange, "WRONG_STATUS" | "INCOMPLETE"> {
  const status = step(policyLifecycle, draft, "activate")
  if (isRefusal(status)) return status
  const missing = missingForActivation({ ...draft, members, rated: draft.rateTableId !== null })
  if (missing.length > 0) {
    const names = missing.map(({ label }) => label.charAt(0).toLowerCase() + label.slice(1)).join(", ")
    return refuse("INCOMPLETE", `Not ready to activate. Missing: ${names}`, { missing })
  }
  const { groupName, endOn, coverageType, premiumCents, sumAssuredCents, waitingPeriodMonths } = draft
  const { contactName, contactEmail, billedFromOn, endRule, dueDays } = draft
  const terms = {
    ...{ coverageType, premiumCents, sumAssuredCents, waitingPeriodMonths },
    ...{ billedFromOn, endRule, dueDays },
  }
  const after = { groupName, productType, endOn, ...terms, contactName, contactEmail }
  return changed(draft, { status, activatedAt: now.toString() }, [
    { type: "PolicyActivated", ...newsOf(draft), startOn: draft.startOn!, members, after },
  ])
}

/** Puts the policy out of force; its members keep their own status. */
export function suspendPolicy(policy: Policy, reason: string): Decision<PolicyChange, "WRONG_STATUS"> {
  const status = step(policyLifecycle, policy, "suspend")
  if (isRefusal(status)) return status
  return changed(policy, { status, statusReason: reason }, [{ type: "PolicySuspended", ...newsOf(policy), reason }])
}

/** Puts a suspended policy into force again. */
export function reinstatePolicy(policy: Policy, reason: string): Decision<PolicyChange, "WRONG_STATUS"> {
  const status = step(policyLifecycle, policy, "reinstate")
  if (isRefusal(status)) return status
  return changed(policy, { status, statusReason: reason }, [{ type: "PolicyReinstated", ...newsOf(policy), reason }])
}

/**
 * Ends an active or suspended policy; `on` is its last day. The day lies between the policy's start and today: an end
 * that is still to come is the policy's end date, on which it expires by itself.
 */
export function terminatePolicy(
  policy: Policy,
  on: Day,
  reason: string,
  today: Day,
): Decision<PolicyChange, "WRONG_STATUS" | "INVALID"> {
  const wrong = (message: string) => refuse("INVALID", message, { fields: [{ path: "on", message }] })
  const status = step(policyLifecycle, policy, "terminate")
  if (isRefusal(status)) return status
  if (on > today) return wrong("The date cannot be in the future: to end the policy later, set its end date")
  if (policy.startOn && on < policy.startOn) return wrong("The date lies before the start of the policy")
  if (policy.endOn && on > policy.endOn) return wrong("The date lies after the end date of the policy")
  return changed(policy, { status, statusReason: reason, terminatedOn: on }, [
    { type: "PolicyTerminated", ...newsOf(policy), on, reason },
  ])
}

/** Lets a policy expire once its last day is over, suspended or not; WRONG_STATUS before. */
export function expirePolicy(policy: Policy, today: Day): Decision<PolicyChange, "WRONG_STATUS"> {
  const status = step(policyLifecycle, policy, "expire")
  if (isRefusal(status)) return status
  if (policy.endOn === null || policy.endOn >= today)
    return refuse("WRONG_STATUS", "The policy's last day is not over.")
  return changed(policy, { status }, [{ type: "PolicyExpired", ...newsOf(policy), on: policy.endOn }])
}

/**
 * Renews an expired policy within 60 days of its end date, without a gap: cover continues from the day after it, to
 * `endOn`, or without an end. A policy that was suspended when it expired is suspended again.
 */
export function renewPolicy(
  policy: Policy,
  endOn: Day | null,
  { wasSuspended, today }: { wasSuspended: boolean; today: Day },
): Decision<PolicyChange, "WRONG_STATUS" | "INVALID"> {
  const status = step(policyLifecycle, policy, "renew")
  if (isRefusal(status)) return status
  if (!isRenewable(policy, today)) {
    return refuse("WRONG_STATUS", `A policy can be renewed for ${renewalDays} days after its end date.`)
  }
  if (endOn !== null && endOn < today) {
    const message = "The new end date cannot be in the past"
    return refuse("INVALID", message, { fields: [{ path: "endOn", message }] })
  }
  return changed(policy, { status: wasSuspended ? "Suspended" : status, endOn }, [
    { type: "PolicyRenewed", ...newsOf(policy), before: { endOn: policy.endOn! }, after: { endOn } },
  ])
}

/**
 * What is wrong with a policy's dates after an edit. The start of a policy that was activated stays: covers and
 * invoices go back to it.
 */
export function wrongDates(
  before: { status: PolicyStatus; startOn: Day | null },
  after: { startOn: Day | null; endOn: Day | null },
): FieldError[] {
  if (before.status !== "Draft" && after.startOn !== before.startOn) {
    return [{ path: "startOn", message: "The start date cannot be changed once the policy was activated" }]
  }
  if (after.startOn && after.endOn && after.endOn < after.startOn) {
    return [{ path: "endOn", message: "The end date lies before the start date" }]
  }
  return []
}

/**
 * From which day a changed premium, rate or rule of an activated policy counts when nobody says: from the first of next
 * month, because whoever is covered on the 1st has paid for the whole month, but not before the policy's start.
 */
export function defaultPremiumFrom(policy: { startOn: Day | null }, today: Day): Day {
  const next = addMonths(firstOfMonth(today), 1)
  return policy.startOn && policy.startOn > next ? policy.startOn : next
}

/** The half-open range of days on which a policy is in force, as PostgreSQL writes it. */
export function policyRange(startOn: Day, endOn: Day | null): string {
  return `[${startOn},${endOn ? addDays(endOn, 1) : ""})`
}
