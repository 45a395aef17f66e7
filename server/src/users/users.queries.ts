import { permissionsOf } from "@milkwood/domain/platform/permission"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import type { PasswordPolicy } from "@milkwood/domain/users/password-policies"
import { allowedUserActions, userStatus } from "@milkwood/domain/users/user"
import type { InvitationRow, Me, UserRow } from "@milkwood/domain/users/users.contract"
import { usersSettings } from "@milkwood/domain/users/users-settings"
import { type SQL, sql } from "drizzle-orm"
import type { UserActor } from "../platform/calls/actor.ts"
import type { Cx } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { readSettings } from "../platform/settings/store.ts"
import { readActiveProgram } from "./service-keys.queries.ts"
import { countGroups, groupsWhere } from "./users.ports.ts"

/** Unsaved settings have their defaults (registration closed, strong passwords). */
export async function readEntranceSettings(
  tx: Tx,
): Promise<{ registrationOpen: boolean; passwordPolicy: PasswordPolicy; organisationName: string }> {
  const settings = await readSettings(tx, { ...usersSettings, organisation: platformSettings.organisation })
  return {
    registrationOpen: settings.userRegistration,
    passwordPolicy: settings.passwordPolicy,
    organisationName: settings.organisation.name,
  }
}

export async function readActor(tx: Tx, userId: string): Promise<UserActor> {
  const found = await tx.row<Omit<UserActor, "kind">>(sql`
    select u.id as "userId", u.name, u.email, u.role,
      array(select g.group_id::text from user_groups g where g.user_id = u.id order by g.group_id) as "groupIds"
    from users u where u.id = ${userId}`)
  if (!found) throw new Error("the account of a session no longer exists")
  return { kind: "user", ...found }
}

/**
 * The actor for work that an account requested; undefined if it is disabled or deleted, or its key is expired or
 * revoked.
 */
export async function readActiveActor(tx: Tx, userId: string, now: Temporal.Instant): Promise<UserActor | undefined> {
  const found = await tx.row<{ isProgram: boolean; isDisabled: boolean }>(sql`
    select is_program as "isProgram", disabled_at is not null as "isDisabled" from users where id = ${userId}`)
  if (found?.isProgram) return readActiveProgram(tx, userId, now)
  return found && !found.isDisabled ? readActor(tx, userId) : undefined
}

export async function readMe(tx: Tx, userId: string): Promise<Me> {
  const found = await tx.row<Omit<Me, "can">>(sql`
    select u.id as "userId", u.name, u.email, u.role, u.version, ${groupsSqlOf(sql`u.id`)} as groups
    from users u where u.id = ${userId}`)
  if (!found) throw new Error("the account of a session no longer exists")
  return { ...found, can: permissionsOf(found.role) }
}

const groupsSqlOf = (userId: SQL): SQL =>
  groupsWhere(sql`g.id in (select group_id from user_groups where user_id = ${userId})`)

export const hasSecondFactor = sql`exists (
  select from second_factors f where f.user_id = u.id and f.confirmed_at is not null)`

export type StoredUser = Omit<UserRow, "status" | "allowedActions"> & {
  emailVerified: boolean
  disabledAt: string | null
  administrators: number
}

export const userColumns = (): SQL => sql`
  u.id, u.name, u.email, u.role, u.version, u.email_verified as "emailVerified", u.disabled_at as "disabledAt",
  case when ${hasSecondFactor} then 'on' else 'off' end as "secondFactor", u.last_sign_in_at as "lastSignInAt", u.created_at as "createdAt", ${groupsSqlOf(sql`u.id`)} as groups,
  (select count(*) from users a where a.role = 'admin' and a.disabled_at is null and a.email_verified) as administrators`

export function toUserRow({ emailVerified, disabledAt, administrators, ...row }: StoredUser, actorId: string): UserRow {
  const account = { id: row.id, role: row.role, emailVerified, disabledAt, secondFactor: row.secondFactor }
  return { ...row, status: userStatus(account), allowedActions: allowedUserActions(account, actorId, administrators) }
}

export async function readUser(tx: Tx, id: string, actorId: string): Promise<UserRow | undefined> {
  const found = await tx.row<StoredUser>(sql`select ${userColumns()} from users u where u.id = ${id}`)
  return found && toUserRow(found, actorId)
}

export async function readOpenInvitations({ tx, now }: Pick<Cx, "tx" | "now">): Promise<InvitationRow[]> {
  return tx.rows<InvitationRow>(sql`
    select l.id, l.email, l.role, coalesce(u.name, '') as "invitedBy", l.created_at as "createdAt",
      l.expires_at as "expiresAt", l.expires_at <= ${now} as expired,
      ${groupsWhere(sql`g.id = any (l.group_ids)`)} as groups
    from account_links l left join users u on u.id = l.created_by
    where l.kind = 'invitation' and l.used_at is null and l.revoked_at is null
    order by l.created_at desc, l.id limit 500`)
}

export const administratorsSql = sql`(
  select id, name, email from users
  where role = 'admin' and disabled_at is null and email_verified and not is_program)`

/** The last time at which the account was created, got a role or was enabled. */
export async function readAdministratorSince(tx: Tx, userId: string): Promise<Temporal.Instant> {
  const found = await tx.row<{ since: string }>(sql`
    select greatest(u.created_at, (select max(at) from audit_log where record_kind = 'user' and record_id = u.id
      and fact in ('RoleChanged', 'UserEnabled', 'AdministratorSetUp', 'InvitationAccepted'))) as since
    from users u where u.id = ${userId}`)
  return Temporal.Instant.from(found!.since)
}

export async function groupsExist(tx: Tx, groupIds: string[]): Promise<boolean> {
  const found = await tx.row<{ count: number }>(countGroups(groupIds))
  return found?.count === groupIds.length
}
