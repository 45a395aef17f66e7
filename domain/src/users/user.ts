import { type Decision, refuse } from "../kernel/refusal.ts"
import { groupRoles, type Role } from "../platform/permission.ts"

export const userStatuses = ["unconfirmed", "active", "disabled"] as const

export type UserStatus = (typeof userStatuses)[number]

export const userStatusNames: Record<UserStatus, string> = {
  unconfirmed: "Unconfirmed",
  active: "Active",
  disabled: "Disabled",
}

export const secondFactorNames = { on: "Set up", off: "None" } as const

export const roleNames: Record<Role, string> = {
  admin: "Administrator",
  manager: "Manager",
  underwriter: "Underwriter",
  group_admin: "Group administrator",
  policy_holder: "Policy holder",
}

/** "Sipho Ndlovu" → "SN"; one word gives one letter, an e-mail address its first letter. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const first = words[0] ?? "?"
  const last = words.length > 1 ? words[words.length - 1] : undefined
  return ((Array.from(first)[0] ?? "?") + (last ? (Array.from(last)[0] ?? "") : "")).toUpperCase()
}

export const isLimitedToGroups = (of: Role | null): boolean => of !== null && groupRoles.includes(of)

export function userStatus(account: { emailVerified: boolean; disabledAt: string | null }): UserStatus {
  if (account.disabledAt !== null) return "disabled"
  return account.emailVerified ? "active" : "unconfirmed"
}

export interface Account {
  id: string
  role: Role | null
  disabledAt: string | null
  emailVerified: boolean
}

/** Whether this account can administer the system today. */
export const isAdministrator = (account: Account): boolean =>
  account.role === "admin" && userStatus(account) === "active"

export type RoleRefusal = "OWN_ACCOUNT" | "LAST_ADMINISTRATOR"

/**
 * Whether the actor may change this account's role: not their own, and not the last administrator's.
 *
 * @param administrators active administrators, this account included; counted under a lock
 */
export function changeRole(
  account: Account,
  to: Role | null,
  actorId: string,
  administrators: number,
): Decision<Role | null, RoleRefusal> {
  if (account.id === actorId) return refuse("OWN_ACCOUNT", "You cannot change your own role.")
  if (to !== "admin" && isAdministrator(account) && administrators <= 1)
    return refuse(
      "LAST_ADMINISTRATOR",
      "This is the last administrator. Give another user the administrator role first.",
    )
  return to
}

/**
 * Whether the actor may disable this account: not their own, and not the last administrator's.
 *
 * @param administrators as for `changeRole`
 */
export function disable(account: Account, actorId: string, administrators: number): Decision<true, RoleRefusal> {
  if (account.id === actorId) return refuse("OWN_ACCOUNT", "You cannot disable your own account.")
  if (isAdministrator(account) && administrators <= 1)
    return refuse(
      "LAST_ADMINISTRATOR",
      "This is the last administrator. Give another user the administrator role first.",
    )
  return true
}

export const userActions = [
  "setRole",
  "setGroups",
  "disable",
  "enable",
  "signOutEverywhere",
  "resetSecondFactor",
] as const

export type UserAction = (typeof userActions)[number]

/** The actions that an administrator may take on an account now. */
export function allowedUserActions(
  account: Account & { secondFactor: keyof typeof secondFactorNames },
  actorId: string,
  administrators: number,
): UserAction[] {
  const lastOne = isAdministrator(account) && administrators <= 1
  const others = account.id !== actorId && !lastOne
  const actions: UserAction[] = []
  if (others) actions.push("setRole")
  if (isLimitedToGroups(account.role)) actions.push("setGroups")
  if (account.disabledAt !== null) actions.push("enable")
  else if (others) actions.push("disable")
  if (account.disabledAt === null) actions.push("signOutEverywhere")
  // Users remove their own second factor with password and code.
  if (account.secondFactor === "on" && account.id !== actorId) actions.push("resetSecondFactor")
  return actions
}
