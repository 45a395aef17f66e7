export const roles = ["admin", "manager", "underwriter", "group_admin", "policy_holder"] as const
export type Role = (typeof roles)[number]

/** Roles that see only the employers assigned to them. */
export const groupRoles: readonly Role[] = ["group_admin", "policy_holder"]

const everyRole = roles
const insurerRoles = ["admin", "manager", "underwriter"] as const
const operations = ["admin", "manager"] as const
const administratorRoles = ["admin"] as const
const managerAndGroupAdminRoles = ["admin", "manager", "group_admin"] as const

/**
 * Permissions by role (design: data, "Who may call what"). Each procedure, upload and download requires one. Domain
 * rules and row-level security decide which records it may touch.
 */
export const permissions = {
  "users.manage": administratorRoles,
  "settings.manage": administratorRoles,
  "setUp.read": operations,
  "outbox.read": administratorRoles,
  "backups.manage": administratorRoles,
  "audit.read": administratorRoles,
  "privacy.manage": administratorRoles,
  "integrations.manage": administratorRoles,
  "benefits.read": everyRole,
  "benefits.write": insurerRoles,
  "policies.read": everyRole,
  "policies.write": operations,
  "rates.read": insurerRoles,
  "rates.write": operations,
  "members.read": everyRole,
  "members.write": managerAndGroupAdminRoles,
  "members.import": managerAndGroupAdminRoles,
  "members.salary": ["admin", "manager", "underwriter", "group_admin"],
  "notes.read": insurerRoles,
  "notes.write": insurerRoles,
  "ledger.read": operations,
  "invoices.read": everyRole,
  "invoices.write": operations,
  "receipts.read": operations,
  "receipts.write": operations,
  "collection.read": operations,
  "collection.write": operations,
  "statements.read": ["admin", "manager", "group_admin", "policy_holder"],
  "banking.read": operations,
  "banking.write": operations,
  "banking.accounts": administratorRoles,
  "monthEnd.read": operations,
  "monthEnd.write": operations,
  "monthEnd.reopen": administratorRoles,
  "payouts.read": insurerRoles,
  "payouts.write": operations,
  "claims.read": everyRole,
  "claims.capture": managerAndGroupAdminRoles,
  "claims.review": operations,
  "claims.payees": insurerRoles,
  "claims.decide": ["underwriter", "group_admin", "policy_holder"],
  "claims.openings": insurerRoles,
  "claims.withdrawApproval": insurerRoles,
  "claims.standIns": ["admin", "policy_holder"],
  "letters.read": insurerRoles,
  "letters.write": operations,
  "reports.read": insurerRoles,
  "reports.schedule": insurerRoles,
  "reports.financial": operations,
  "dashboard.read": everyRole,
} as const satisfies Record<string, readonly Role[]>

export type PermissionName = keyof typeof permissions

/** "session": any signed-in account. "public": no session. */
export type Permission = PermissionName | "session" | "public"

/** `null` is an account without a role. */
export function hasPermission(role: Role | null | undefined, permission: PermissionName): boolean {
  return role != null && (permissions[permission] as readonly Role[]).includes(role)
}

/** The screens build their menus from this list. */
export function permissionsOf(role: Role | null): PermissionName[] {
  return (Object.keys(permissions) as PermissionName[]).filter((name) => hasPermission(role, name))
}

/**
 * Not allowed to service keys in any role: claim decisions are personal judgement, and scheduled reports run with their
 * owner's rights.
 */
const personOnlyPermissions: readonly PermissionName[] = [
  "claims.decide",
  "claims.withdrawApproval",
  "claims.standIns",
  "reports.schedule",
]

/** Whether a service key may use a permission that its role has. */
export const canServiceKeyUse = (permission: PermissionName): boolean => !personOnlyPermissions.includes(permission)

export interface RuleActor {
  userId: string
  role: Role | null
  /** For a service key: the user who created it. */
  keyMadeBy?: string | undefined
}

/** User ids that count as the preparer for four-eyes checks. For a service key this includes its creator. */
export const preparerIds = ({ userId, keyMadeBy }: Pick<RuleActor, "userId" | "keyMadeBy">): string[] =>
  keyMadeBy === undefined ? [userId] : [userId, keyMadeBy]

export const isProgram = ({ keyMadeBy }: RuleActor): boolean => keyMadeBy !== undefined
