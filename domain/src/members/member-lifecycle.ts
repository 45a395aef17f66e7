import { lifecycle } from "../kernel/lifecycle.ts"
import { may, type Role } from "../platform/permission.ts"
import type { PolicyStatus } from "../policies/policy.ts"
import { isOpen } from "../policies/policy-lifecycle.ts"
import { type MemberStatus, memberStatuses } from "./member.ts"

/**
 * The life of a member (product: Members). A member of a draft policy is Pending; `activate` comes with the policy's
 * activation. A pending member is removed rather than ended: nothing was ever owed on either side.
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
 * What the actor may do with the member now; whether the actor sees the member's group was settled before. `planned`
 * says whether anything dated is still to come, which can be withdrawn. `kinds` are the kinds of cover on record: a member
 * who is active today is reinstated within another suspension, and one who is suspended today within covered days.
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
  // Made anonymous: there is nobody any more of whom anything could be said.
  if (member.isForgotten) return []
  const actions: MemberAction[] = []
  const open = isOpen(member.policyStatus)
  if (may(actor.role, "members.write")) {
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
  // A claim may concern an incident before the member left.
  if (may(actor.role, "claims.capture") && member.status !== "Pending") actions.push("claim")
  return actions
}
