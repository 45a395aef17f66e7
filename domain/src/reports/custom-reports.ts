import type { RuleActor } from "../platform/permission.ts"
import { type CustomDefinition, canMakeReport } from "./custom-report.ts"

export const customShares = ["admin", "manager", "underwriter"] as const
export type CustomShare = (typeof customShares)[number]

export const customShareNames: Record<CustomShare, string> = {
  admin: "Administrators",
  manager: "Managers",
  underwriter: "Underwriters",
}

export const maxSavedReports = 200

export const customReportActions = ["open", "edit", "delete"] as const
export type CustomReportAction = (typeof customReportActions)[number]

interface SavedReportAccess {
  ownerId: string
  isOrphaned: boolean
  sharedWith: readonly string[]
  definition: CustomDefinition
}

/**
 * Owners may do everything. Users with whom a report is shared may open it if they may see every field. Administrators
 * may open and delete reports of removed accounts.
 */
export function allowedCustomActions(report: SavedReportAccess, actor: RuleActor): CustomReportAction[] {
  const isOwner = report.ownerId === actor.userId
  const isLeft = report.isOrphaned && actor.role === "admin"
  const reads = canMakeReport(report.definition, actor.role)
  if (isOwner) return reads ? ["open", "edit", "delete"] : ["delete"]
  const isShared = actor.role !== null && report.sharedWith.includes(actor.role)
  return [...((isShared || isLeft) && reads ? ["open" as const] : []), ...(isLeft ? ["delete" as const] : [])]
}
