import type { RuleActor } from "../platform/permission.ts"
import { type CustomDefinition, mayMake } from "./custom-report.ts"

/** The roles that a saved report can be shared with: all that may read reports. */
export const customShares = ["admin", "manager", "underwriter"] as const
export type CustomShare = (typeof customShares)[number]

export const customShareNames: Record<CustomShare, string> = {
  admin: "Administrators",
  manager: "Managers",
  underwriter: "Underwriters",
}

/** So many reports one person keeps. */
export const mostSaved = 200

export const customReportActions = ["open", "edit", "delete"] as const
export type CustomReportAction = (typeof customReportActions)[number]

interface Kept {
  ownerId: string
  isOrphaned: boolean
  sharedWith: readonly string[]
  definition: CustomDefinition
}

/**
 * What somebody may do with a saved report: its owner everything; those with whom it is shared open it, as long as they
 * may see all that is in it. Administrators open and clear away what somebody left whose account is gone. To open is to
 * look at it, to have it made, to schedule it and to save it as one's own.
 */
export function allowedCustomActions(report: Kept, actor: RuleActor): CustomReportAction[] {
  const isOwner = report.ownerId === actor.userId
  const isLeft = report.isOrphaned && actor.role === "admin"
  const reads = mayMake(report.definition, actor.role)
  if (isOwner) return reads ? ["open", "edit", "delete"] : ["delete"]
  const isShared = actor.role !== null && report.sharedWith.includes(actor.role)
  return [...((isShared || isLeft) && reads ? ["open" as const] : []), ...(isLeft ? ["delete" as const] : [])]
}
