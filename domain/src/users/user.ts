import { type Decision, refuse } from "../kernel/refusal.ts"
import { groupRoles, type Role } from "../platform/permission.ts"

/** What an account is: waiting for its confirmation, in use, or switched off. */
export const userStatuses = ["unconfirmed", "active", "disabled"] as const

export type UserStatus = (typeof userStatuses)[number]

/** How a status is called on screen. */
export const userStatusNames: Record<UserStatus, string> = {
  unconfirmed: "Unconfirmed",
  active: "Active",
  disabled: "Disabled",
}

/** Whether an account has a second factor, on screen. */
export const secondFactorNames = { on: "Set up", off: "None" } as const

/** How a role is called on screen. */
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

/** Whether a role sees only the groups that are assigned to it. */
export const seesOnlyItsGroups = (of: Role | null): boolean => of !== null && groupRoles.includes(of)

/** The status of an account, from what is stored of it. */
export function userStatus(account: { emailVerified: boolean; disabledAt: string | null }): UserStatus {
  if (account.disabledAt !== null) return "disabled"
  return account.emailVerified ? "active" : "unconfirmed"
}

/** What the rules about an account need to know of it. */
export interface Account {
  id: string
  role: Role | null
  disabledAt: string | null
  emailVerified: boolean
}

/** Whether this account can administer the system today. */
export const isAdministrator = (account: Account): boolean =>
  account.role === "admin" && userStatus(account) === "active"

/** Why an account may not lose, or be given, a role. */
export type RoleRefusal = "OWN_ACCOUNT" | "LAST_ADMINISTRATOR"

/**
 * Whether the actor may give this account another role (product: "Nobody changes their own role. The last
 * administrator cannot be removed or demoted").
 *
 * @param administrators how many administrators can sign in, this account included; counted under a lock
 */
export function changeRole(
  account: Account,
  to: Role | null,
  actorId: string,
  administrators: number,
): Decision<Role | null, RoleRefusal> {
  if (account.id === actorId) return refuse("OWN_ACCOUNT", "You cannot change your own role.")
  if (to !== "admin" && isAdministrator(account) && administrators <= 1)
    return refuse("LAST_ADMINISTRATOR", "This is the last administrator. Make somebody else administrator first.")
  return to
}

/**
 * Whether the actor may switch this account off. Nobody switches off their own, nor the last administrator.
 *
 * @param administrators as for `changeRole`
 */
export function disable(account: Account, actorId: string, administrators: number): Decision<true, RoleRefusal> {
  if (account.id === actorId) return refuse("OWN_ACCOUNT", "You cannot disable your own account.")
  if (isAdministrator(account) && administrators <= 1)
    return refuse("LAST_ADMINISTRATOR", "This is the last administrator. Make somebody else administrator first.")
  return true
}

/** What the administrator may do with an account now; the buttons of the list read it. */
export const userActions = [
  "setRole",
  "setGroups",
  "disable",
  "enable",
  "signOutEverywhere",
  "resetSecondFactor",
] as const

export type UserAction = (typeof userActions)[number]

/** The actions on an account that its reader, an administrator, may take now. */
export function allowedUserActions(
  account: Account & { secondFactor: keyof typeof secondFactorNames },
  actorId: string,
  administrators: number,
): UserAction[] {
  const lastOne = isAdministrator(account) && administrators <= 1
  const others = account.id !== actorId && !lastOne
  const actions: UserAction[] = []
  if (others) actions.push("setRole")
  if (seesOnlyItsGroups(account.role)) actions.push("setGroups")
  if (account.disabledAt !== null) actions.push("enable")
  else if (others) actions.push("disable")
  if (account.disabledAt === null) actions.push("signOutEverywhere")
  // One's own is removed with the password and a code.
  if (account.secondFactor === "on" && account.id !== actorId) actions.push("resetSecondFactor")
  return actions
}
