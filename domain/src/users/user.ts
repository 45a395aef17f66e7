import { z } from "zod"
import { type Decision, refuse } from "../kernel/refusal.ts"
import { emailAddress, line } from "../kernel/text.ts"
import { groupRoles, type Role, roles } from "./permission.ts"
import type { UserStatus } from "./user-words.ts"

export * from "./user-words.ts"

/** The shape of a role in the API. */
export const role = z.enum(roles)

/** Whether a role sees only the groups that are assigned to it. */
export const seesOnlyItsGroups = (of: Role | null): boolean => of !== null && groupRoles.includes(of)

/** The status of an account, from what is stored of it. */
export function userStatus(account: { emailVerified: boolean; disabledAt: string | null }): UserStatus {
  if (account.disabledAt !== null) return "disabled"
  return account.emailVerified ? "active" : "unconfirmed"
}

/** An e-mail address in the API: trimmed and in lower case, so that one person has one account. */
export const email = emailAddress("Enter a valid e-mail address").toLowerCase()

/** A person's name as it is shown. */
export const personName = line(200, "A name has at most 200 characters").min(1, "Enter a name")

/** A password in the API. Its strength is a rule (`passwordProblems`), not a shape. */
export const password = z.string().max(256, "A password has at most 256 characters")

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
export const userActions = ["setRole", "setGroups", "disable", "enable", "signOutEverywhere"] as const
export type UserAction = (typeof userActions)[number]

/** The actions on an account that its reader, an administrator, may take now. */
export function allowedUserActions(account: Account, actorId: string, administrators: number): UserAction[] {
  const lastOne = isAdministrator(account) && administrators <= 1
  const others = account.id !== actorId && !lastOne
  const actions: UserAction[] = []
  if (others) actions.push("setRole")
  if (seesOnlyItsGroups(account.role)) actions.push("setGroups")
  if (account.disabledAt !== null) actions.push("enable")
  else if (others) actions.push("disable")
  if (account.disabledAt === null) actions.push("signOutEverywhere")
  return actions
}
