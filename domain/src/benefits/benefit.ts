import { hasPermission, type Role } from "../platform/permission.ts"

export const benefitActions = ["edit", "delete"] as const

export type BenefitAction = (typeof benefitActions)[number]

/** Actions that a role may take on a benefits record. */
export function benefitActionsOf(role: Role | null): BenefitAction[] {
  return hasPermission(role, "benefits.write") ? [...benefitActions] : []
}
