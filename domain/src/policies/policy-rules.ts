import type { EmployerFact } from "../employers/employer-facts.ts"
import { addDays, addMonths, type Day, firstOfMonth } from "../kernel/calendar.ts"
import { applyTransition } from "../kernel/lifecycle.ts"
import type { FieldError } from "../kernel/procedure.ts"
import { type Decision, isRefusal, refuse } from "../kernel/refusal.ts"
import type { Policy, PolicyStatus } from "./policy.ts"
import { type PolicyFact, policyFactHead } from "./policy-facts.ts"
import { isRenewable, policyLifecycle, renewalWindowDays } from "./policy-lifecycle.ts"

/** Requirements of activation, labelled as on the form. */
export const activationRequirements = [
  { field: "groupName", label: "Group name", met: (p) => p.groupName.trim() !== "" },
  { field: "productTypeId", label: "Product type", met: (p) => p.productTypeId !== null },
  { field: "startOn", label: "Start date", met: (p) => p.startOn !== null },
  { field: "premiumCents", label: "Premium", met: (p) => p.premiumCents > 0 || p.rated },
  { field: "contactName", label: "Contact name", met: (p) => p.contactName.trim() !== "" },
  { field: "contactEmail", label: "Contact e-mail", met: (p) => p.contactEmail.trim() !== "" },
  { field: "members", label: "At least one member", met: (p) => p.members > 0 },
] as const satisfies { field: string; label: string; met: (policy: ActivationFields) => boolean }[]

export type ActivationFields = Pick<
  Policy,
  "groupName" | "productTypeId" | "startOn" | "premiumCents" | "contactName" | "contactEmail"
> & { members: number; rated: boolean }

export interface MissingRequirement {
  field: string
  label: string
}

/** Fields that activation still requires, in form order. */
export function missingRequirements(policy: ActivationFields): MissingRequirement[] {
  return activationRequirements.filter(({ met }) => !met(policy)).map(({ field, label }) => ({ field, label }))
}

export interface PolicyChange {
  value: Policy
  facts: (PolicyFact | EmployerFact)[]
}

export function applyPolicyChange(
  policy: Policy,
  changes: Partial<Policy>,
  facts: PolicyChange["facts"],
): PolicyChange {
  return { value: { ...policy, ...changes, version: policy.version + 1 }, facts }
}

/**
 * Activates a draft with `members` members. WRONG_STATUS, or INCOMPLETE with the missing fields. The fact contains the
 * draft's values, with the product type's name.
 */
export function activatePolicy(
  draft: Policy,
  { members, productType }: { members: number; productType: string | null },
  now: Temporal.Instant,
): Decision<PolicyChange, "WRONG_STATUS" | "INCOMPLETE"> {
  const status = applyTransition(policyLifecycle, draft, "activate")
  if (isRefusal(status)) return status
  const missing = missingRequirements({ ...draft, members, rated: draft.rateTableId !== null })
  if (missing.length > 0) {
    const names = missing.map(({ label }) => label.charAt(0).toLowerCase() + label.slice(1)).join(", ")
    return refuse("INCOMPLETE", `Not ready to activate. Missing: ${names}`, { missing })
  }
  const { groupName, endOn, coverageType, premiumCents, sumAssuredCents, waitingPeriodMonths } = draft
  const { contactName, contactEmail, billedFromOn, endRule, dueDays, staffListDay } = draft
  const terms = {
    ...{ coverageType, premiumCents, sumAssuredCents, waitingPeriodMonths },
    ...{ billedFromOn, endRule, dueDays, ...(staffListDay && { staffListDay }) },
  }
  const after = { groupName, productType, endOn, ...terms, contactName, contactEmail }
  return applyPolicyChange(draft, { status, activatedAt: now.toString() }, [
    { type: "PolicyActivated", ...policyFactHead(draft), startOn: draft.startOn!, members, after },
  ])
}

/** Suspends the policy; its members keep their own status. */
export function suspendPolicy(policy: Policy, reason: string): Decision<PolicyChange, "WRONG_STATUS"> {
  const status = applyTransition(policyLifecycle, policy, "suspend")
  if (isRefusal(status)) return status
  return applyPolicyChange(policy, { status, statusReason: reason }, [
    { type: "PolicySuspended", ...policyFactHead(policy), reason },
  ])
}

export function reinstatePolicy(policy: Policy, reason: string): Decision<PolicyChange, "WRONG_STATUS"> {
  const status = applyTransition(policyLifecycle, policy, "reinstate")
  if (isRefusal(status)) return status
  return applyPolicyChange(policy, { status, statusReason: reason }, [
    { type: "PolicyReinstated", ...policyFactHead(policy), reason },
  ])
}

/**
 * Ends an active or suspended policy; `on` is its last day, between its start and today. A future end is the policy's
 * end date, on which it expires.
 */
export function terminatePolicy(
  policy: Policy,
  on: Day,
  reason: string,
  today: Day,
): Decision<PolicyChange, "WRONG_STATUS" | "INVALID"> {
  const wrong = (message: string) => refuse("INVALID", message, { fields: [{ path: "on", message }] })
  const status = applyTransition(policyLifecycle, policy, "terminate")
  if (isRefusal(status)) return status
  if (on > today) return wrong("The date cannot be in the future. To end the policy later, set its end date")
  if (policy.startOn && on < policy.startOn) return wrong("The date is before the start of the policy")
  if (policy.endOn && on > policy.endOn) return wrong("The date is after the end date of the policy")
  return applyPolicyChange(policy, { status, statusReason: reason, terminatedOn: on }, [
    { type: "PolicyTerminated", ...policyFactHead(policy), on, reason },
  ])
}

/** Expires an active or suspended policy after its last day; WRONG_STATUS before. */
export function expirePolicy(policy: Policy, today: Day): Decision<PolicyChange, "WRONG_STATUS"> {
  const status = applyTransition(policyLifecycle, policy, "expire")
  if (isRefusal(status)) return status
  if (policy.endOn === null || policy.endOn >= today)
    return refuse("WRONG_STATUS", "The policy's last day is not over yet.")
  return applyPolicyChange(policy, { status }, [{ type: "PolicyExpired", ...policyFactHead(policy), on: policy.endOn }])
}

/**
 * Renews an expired policy within 60 days of its end date, from the next day until `endOn` (null: no end). A policy
 * that expired while suspended is suspended again.
 */
export function renewPolicy(
  policy: Policy,
  endOn: Day | null,
  { wasSuspended, today }: { wasSuspended: boolean; today: Day },
): Decision<PolicyChange, "WRONG_STATUS" | "INVALID"> {
  const status = applyTransition(policyLifecycle, policy, "renew")
  if (isRefusal(status)) return status
  if (!isRenewable(policy, today)) {
    return refuse("WRONG_STATUS", `A policy can be renewed for ${renewalWindowDays} days after its end date.`)
  }
  if (endOn !== null && endOn < today) {
    const message = "The new end date cannot be in the past"
    return refuse("INVALID", message, { fields: [{ path: "endOn", message }] })
  }
  return applyPolicyChange(policy, { status: wasSuspended ? "Suspended" : status, endOn }, [
    { type: "PolicyRenewed", ...policyFactHead(policy), before: { endOn: policy.endOn! }, after: { endOn } },
  ])
}

/** Problems with edited dates. An activated policy keeps its start: covers and invoices depend on it. */
export function findDateErrors(
  before: { status: PolicyStatus; startOn: Day | null },
  after: { startOn: Day | null; endOn: Day | null },
): FieldError[] {
  if (before.status !== "Draft" && after.startOn !== before.startOn) {
    return [{ path: "startOn", message: "The start date cannot be changed after the policy is activated" }]
  }
  if (after.startOn && after.endOn && after.endOn < after.startOn) {
    return [{ path: "endOn", message: "The end date is before the start date" }]
  }
  return []
}

const longestFuneralWaitingMonths = 6

/**
 * The longest waiting period of a funeral policy, in whole months: six, or a quarter of the policy's term if that is
 * shorter. A renewal extends the term and keeps the first days of cover, so it starts no new waiting period.
 * Policyholder Protection Rules (Long-term Insurance), 2017, rules 2A.6.1 and 2A.6.4.
 */
export function longestFuneralWaiting({ startOn, endOn }: Pick<Policy, "startOn" | "endOn">): number {
  if (startOn === null || endOn === null) return longestFuneralWaitingMonths
  const quarters = [6, 5, 4, 3, 2, 1]
  return quarters.find((months) => addMonths(startOn, 4 * months) <= addDays(endOn, 1)) ?? 0
}

/** Problems with the waiting period of a policy, whose product type is a funeral product or not. */
export function findWaitingErrors(
  policy: Pick<Policy, "startOn" | "endOn" | "waitingPeriodMonths">,
  { isFuneral }: { isFuneral: boolean },
): FieldError[] {
  const longest = longestFuneralWaiting(policy)
  if (!isFuneral || policy.waitingPeriodMonths <= longest) return []
  const limit = longest === 1 ? "1 month" : `${longest} months`
  const message = `The waiting period of this funeral policy is at most ${limit}: six months, or a quarter of its term if shorter`
  return [{ path: "waitingPeriodMonths", message }]
}

/**
 * Default first day of a changed premium, rate or rule: the first of next month, because cover on the 1st is charged
 * for the whole month. Not before the policy's start.
 */
export function defaultPremiumFrom(policy: { startOn: Day | null }, today: Day): Day {
  const next = addMonths(firstOfMonth(today), 1)
  return policy.startOn && policy.startOn > next ? policy.startOn : next
}

/** PostgreSQL range of the days in force; the upper bound is exclusive. */
export function policyRange(startOn: Day, endOn: Day | null): string {
  return `[${startOn},${endOn ? addDays(endOn, 1) : ""})`
}
