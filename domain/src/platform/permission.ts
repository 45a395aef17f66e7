/** The five roles; an account without one sees only the page that says so. */
export const roles = ["admin", "manager", "underwriter", "group_admin", "policy_holder"] as const
export type Role = (typeof roles)[number]

/** Roles that see only the groups assigned to them. */
export const groupRoles: readonly Role[] = ["group_admin", "policy_holder"]

const everyone = roles
const insurer = ["admin", "manager", "underwriter"] as const
const operations = ["admin", "manager"] as const
const administrators = ["admin"] as const
const withGroupAdmin = ["admin", "manager", "group_admin"] as const

/**
 * Who may call what (design: data, "Who may call what"). A procedure, upload or download names one of these;
 * which record it may touch is a rule of its room, and row-level security stands under both.
 */
export const permissions = {
  "users.manage": administrators,
  "settings.manage": administrators,
  "outbox.read": administrators,
  "backups.manage": administrators,
  "audit.read": administrators,
  "privacy.manage": administrators,
  "integrations.manage": administrators,
  "benefits.read": everyone,
  "benefits.write": insurer,
  "policies.read": everyone,
  "policies.write": operations,
  "rates.read": insurer,
  "rates.write": operations,
  "members.read": everyone,
  "members.write": withGroupAdmin,
  "members.import": withGroupAdmin,
  "members.salary": ["admin", "manager", "underwriter", "group_admin"],
  "ledger.read": operations,
  "invoices.read": everyone,
  "invoices.write": operations,
  "receipts.read": operations,
  "receipts.write": operations,
  "collection.read": operations,
  "collection.write": operations,
  "statements.read": ["admin", "manager", "group_admin", "policy_holder"],
  "banking.read": operations,
  "banking.write": operations,
  "banking.accounts": administrators,
  "monthEnd.read": operations,
  "monthEnd.write": operations,
  "monthEnd.reopen": administrators,
  "payouts.read": insurer,
  "payouts.write": operations,
  "claims.read": everyone,
  "claims.capture": withGroupAdmin,
  "claims.review": operations,
  "claims.decide": ["underwriter", "group_admin", "policy_holder"],
  "claims.standIns": ["admin", "policy_holder"],
  "reports.read": insurer,
  "reports.schedule": insurer,
  "reports.financial": operations,
  "dashboard.read": everyone,
} as const satisfies Record<string, readonly Role[]>

export type PermissionName = keyof typeof permissions

/** What a route asks for: a permission of the table, any signed-in account ("session"), or nothing ("public"). */
export type Permission = PermissionName | "session" | "public"

/** Whether a role may call what asks for this permission. `null` is an account without a role. */
export function may(role: Role | null | undefined, permission: PermissionName): boolean {
  return role != null && (permissions[permission] as readonly Role[]).includes(role)
}

/** The names of everything a role may do; the screens build menus from it and work out nothing themselves. */
export function permissionsOf(role: Role | null): PermissionName[] {
  return (Object.keys(permissions) as PermissionName[]).filter((name) => may(role, name))
}

/**
 * What only people do, whatever the role: a stage of a claim is somebody's own judgement, and a scheduled report goes out
 * with the rights of its owner, who hears when it does not.
 */
const ofPeopleAlone: readonly PermissionName[] = ["claims.decide", "claims.standIns", "reports.schedule"]

/** Whether a program, which stands for no person, may do what asks for this permission, where its role may. */
export const programMay = (permission: PermissionName): boolean => !ofPeopleAlone.includes(permission)

/** Who acts, as far as the rules of any record care. */
export interface RuleActor {
  userId: string
  role: Role | null
  /** Of a program: who made its key. */
  keyMadeBy?: string | undefined
}

/** Whom four eyes count for what an actor prepares: themselves, and for a program also whoever made its key. */
export const handsOf = ({ userId, keyMadeBy }: Pick<RuleActor, "userId" | "keyMadeBy">): string[] =>
  keyMadeBy === undefined ? [userId] : [userId, keyMadeBy]

/** Whether a program acts, which stands for no person: what only people do is not offered to it. */
export const isProgram = ({ keyMadeBy }: RuleActor): boolean => keyMadeBy !== undefined
