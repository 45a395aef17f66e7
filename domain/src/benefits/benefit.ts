import { may, type Role } from "../platform/permission.ts"

export const benefitActions = ["edit", "delete"] as const

export type BenefitAction = (typeof benefitActions)[number]

/** What a role may do with a record of the benefits room (data: "Who may call what"). */
export function benefitActionsOf(role: Role | null): BenefitAction[] {
  return may(role, "benefits.write") ? [...benefitActions] : []
}
