import { addDays, type Day } from "../kernel/calendar.ts"
import { lifecycle } from "../kernel/lifecycle.ts"
import { hasPermission, type Role } from "../platform/permission.ts"
import { type PolicyStatus, policyStatuses } from "./policy.ts"

/** The policy lifecycle. The system runs `expire` on the day after the end date. */
export const policyLifecycle = lifecycle({
  name: "policy",
  initial: "Draft",
  states: policyStatuses,
  actions: {
    activate: { from: ["Draft"], to: "Active" },
    suspend: { from: ["Active"], to: "Suspended" },
    reinstate: { from: ["Suspended"], to: "Active" },
    terminate: { from: ["Active", "Suspended"], to: "Terminated" },
    expire: { from: ["Active", "Suspended"], to: "Expired" },
    renew: { from: ["Expired"], to: "Active" },
  },
  words: {
    record: "A policy that",
    done: {
      activate: "activated",
      suspend: "suspended",
      reinstate: "reinstated",
      terminate: "terminated",
      expire: "expired",
      renew: "renewed",
    },
  },
})

export const policyActions = [
  "edit",
  "editContact",
  "activate",
  "suspend",
  "reinstate",
  "terminate",
  "renew",
  "addMembers",
  "deleteDraft",
] as const
export type PolicyAction = (typeof policyActions)[number]

export function isOpen(status: PolicyStatus): boolean {
  return status !== "Terminated" && status !== "Expired"
}

/** Days after the end date during which an expired policy can be renewed. */
export const renewalWindowDays = 60

export const isRenewable = ({ status, endOn }: { status: PolicyStatus; endOn: Day | null }, today: Day): boolean =>
  status === "Expired" && endOn !== null && today <= addDays(endOn, renewalWindowDays)

/**
 * The actor's current actions. The main contact stays editable after the end: invoices are still sent there. Adding
 * members requires the members write permission and an open policy.
 */
export function allowedPolicyActions(
  policy: { status: PolicyStatus; endOn: Day | null },
  actor: { role: Role | null },
  today: Day,
): PolicyAction[] {
  const actions: PolicyAction[] = []
  if (hasPermission(actor.role, "policies.write")) {
    if (isOpen(policy.status)) actions.push("edit")
    actions.push("editContact")
    for (const action of policyLifecycle.actionsFrom(policy.status)) {
      if (action === "expire" || (action === "renew" && !isRenewable(policy, today))) continue
      actions.push(action)
    }
  }
  if (hasPermission(actor.role, "members.write") && isOpen(policy.status)) actions.push("addMembers")
  if (hasPermission(actor.role, "policies.write") && policy.status === "Draft") actions.push("deleteDraft")
  return actions
}
