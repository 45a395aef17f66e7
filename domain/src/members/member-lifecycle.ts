import { lifecycle } from "../kernel/lifecycle.ts"
import { hasPermission, type Role } from "../platform/permission.ts"
import type { PolicyStatus } from "../policies/policy.ts"
import { isOpen } from "../policies/policy-lifecycle.ts"
import { type MemberStatus, memberStatuses } from "./member.ts"

/**
 * Members of a draft policy are Pending; activating the policy runs `activate`. A pending member is removed, not ended:
 * nothing was insured or owed yet.
 */
export const memberLifecycle = lifecycle({
  name: "member",
  initial: "Pending",
  states: memberStatuses,
  actions: {
    activate: { from: ["Pending"], to: "Active" },
    suspend: { from: ["Active"], to: "Suspended" },
    reinstate: { from: ["Suspended", "Terminated"], to: "Active" },
    terminate: { from: ["Active", "Suspended"], to: "Terminated" },
  },
  words: {
    record: "A member who",
    done: { activate: "activated", suspend: "suspended", reinstate: "reinstated", terminate: "terminated" },
  },
})

export const memberActions = [
  "edit",
  "suspend",
  "reinstate",
  "terminate",
  "withdraw",
  "changeTier",
  "remove",
  "claim",
] as const
export type MemberAction = (typeof memberActions)[number]

/**
 * Actions the actor may perform now; the caller has already checked that the actor sees the member's group. `planned`:
 * future changes exist and can be withdrawn. `kinds`: all kinds of cover that the member ever has, since suspend and
 * reinstate may start on a past or future day.
 */
export function allowedMemberActions(
  member: {
    status: MemberStatus
    policyStatus: PolicyStatus
    planned?: boolean
    isForgotten?: boolean
    kinds?: readonly ("covered" | "suspended")[]
  },
  actor: { role: Role | null },
): MemberAction[] {
  // Anonymised members have no actions.
  if (member.isForgotten) return []
  const actions: MemberAction[] = []
  const open = isOpen(member.policyStatus)
  if (hasPermission(actor.role, "members.write")) {
    if (member.status !== "Terminated") actions.push("edit")
    for (const action of memberLifecycle.actionsFrom(member.status)) {
      if (action !== "activate" && open) actions.push(action)
    }
    if (open && member.status === "Active" && member.kinds?.includes("suspended")) actions.push("reinstate")
    if (open && member.status === "Suspended" && member.kinds?.includes("covered")) actions.push("suspend")
    if (open && member.planned) actions.push("withdraw")
    if (open && (member.status === "Active" || member.status === "Suspended")) actions.push("changeTier")
    if (member.status === "Pending") actions.push("remove")
  }
  // A former member may claim for an incident during membership.
  if (hasPermission(actor.role, "claims.capture") && member.status !== "Pending") actions.push("claim")
  return actions
}
