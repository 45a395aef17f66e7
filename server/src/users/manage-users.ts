import type { Role } from "@milkwood/domain/platform/permission"
import {
  disable as decideDisable,
  changeRole as decideRole,
  isAdministrator,
  isLimitedToGroups,
} from "@milkwood/domain/users/user"
import { type UserRow, usersContract } from "@milkwood/domain/users/users.contract"
import { sql } from "drizzle-orm"
import { type Cx, command, orRefuse, refused } from "../platform/calls/commands.ts"
import { expectProof } from "../platform/calls/proof.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { record } from "../platform/trail/facts.ts"
import { revokeInvitationsBy, revokeLinks } from "./account-links.ts"
import { queueAccountChangeMail } from "./account-mails.ts"
import { requireExistingGroups } from "./invite-user.ts"
import { endSessions, requireUser, userRecord } from "./sessions.ts"
import { readUser } from "./users.queries.ts"

interface LockedUser {
  id: string
  name: string
  email: string
  role: Role | null
  disabledAt: string | null
  emailVerified: boolean
  version: number
}

/** Clears the user's groups if the new role sees every group. */
export const setUserRole = command(usersContract.setRole, async (cx) => {
  expectProof(cx)
  const { tx, now, input } = cx
  const { user, administrators } = await lockUser(cx, input.id, input.version)
  const role = orRefuse(decideRole(user, input.role, requireUser(cx).userId, administrators))
  const groupIds = isLimitedToGroups(role) ? input.groupIds && (await requireExistingGroups(cx, input.groupIds)) : []
  await tx.run(sql`
    update users set role = ${role}, version = version + 1, updated_at = ${now} where id = ${user.id}`)
  if (role !== user.role) {
    await deleteStoredAnswers(cx, user.id)
    await revokeInvitationsBy(cx, user.id)
    await record(cx, [{ type: "RoleChanged", ...userRecord(user), before: { role: user.role }, after: { role } }])
  }
  if (groupIds) await replaceGroups(cx, user, groupIds)
  return readUserRow(cx, user.id)
})

export const setUserGroups = command(usersContract.setGroups, async (cx) => {
  expectProof(cx)
  const { user } = await lockUser(cx, cx.input.id, cx.input.version)
  if (!isLimitedToGroups(user.role)) throw refused("ROLE_HAS_NO_GROUPS")
  const groupIds = await requireExistingGroups(cx, cx.input.groupIds)
  await cx.tx.run(sql`update users set version = version + 1, updated_at = ${cx.now} where id = ${user.id}`)
  await replaceGroups(cx, user, groupIds)
  return readUserRow(cx, user.id)
})

/** Ends the account's sessions, links and open invitations in the same transaction. */
export const disableUser = command(usersContract.disable, async (cx) => {
  const { user, administrators } = await lockUser(cx, cx.input.id, cx.input.version)
  orRefuse(decideDisable(user, requireUser(cx).userId, administrators))
  if (user.disabledAt === null) {
    await cx.tx.run(sql`
      update users set disabled_at = ${cx.now}, version = version + 1, updated_at = ${cx.now} where id = ${user.id}`)
    await endSessions(cx, user.id)
    await revokeLinks(cx, user.id)
    await revokeInvitationsBy(cx, user.id)
    await record(cx, [{ type: "UserDisabled", ...userRecord(user) }])
  }
  return readUserRow(cx, user.id)
})

export const enableUser = command(usersContract.enable, async (cx) => {
  expectProof(cx)
  const { user } = await lockUser(cx, cx.input.id, cx.input.version)
  if (user.disabledAt !== null) {
    await cx.tx.run(sql`
      update users set disabled_at = null, version = version + 1, updated_at = ${cx.now} where id = ${user.id}`)
    await record(cx, [{ type: "UserEnabled", ...userRecord(user) }])
  }
  return readUserRow(cx, user.id)
})

/** Also ends sessions that were signed in with the lost factor. */
export const resetSecondFactor = command(usersContract.resetSecondFactor, async (cx) => {
  expectProof(cx)
  const { user } = await lockUser(cx, cx.input.id, cx.input.version)
  if (user.id === requireUser(cx).userId)
    throw refused("OWN_ACCOUNT", "Remove your own second factor in your profile, with your password and a code.")
  const had = await cx.tx.run(sql`delete from second_factors where user_id = ${user.id} and confirmed_at is not null`)
  if (had > 0) {
    await endSessions(cx, user.id)
    await record(cx, [{ type: "SecondFactorRemoved", ...userRecord(user), own: false }])
    await queueAccountChangeMail(
      cx,
      user,
      "Your second factor was reset",
      "An administrator reset the second factor of your account. Sign in with your password only until you set up a new one.",
    )
  }
  return readUserRow(cx, user.id)
})

export const signOutEverywhere = command(usersContract.signOutEverywhere, async (cx) => {
  expectProof(cx)
  const { user } = await lockUser(cx, cx.input.id)
  await endSessions(cx, user.id)
  await record(cx, [{ type: "SessionsEnded", ...userRecord(user) }])
  return {}
})

/**
 * Locks the account and all administrators in one order, so that the second of two mutual demotions sees the first.
 * STALE for another version.
 */
async function lockUser(cx: Cx, id: string, version?: number): Promise<{ user: LockedUser; administrators: number }> {
  const locked = await cx.tx.rows<LockedUser>(sql`
    select id, name, email, role, disabled_at as "disabledAt", email_verified as "emailVerified", version
    from users where (id = ${id} and not is_program) or (role = 'admin' and disabled_at is null and email_verified)
    order by id for update`)
  const user = locked.find((row) => row.id === id)
  if (!user) throw refused("NOT_FOUND")
  if (version !== undefined) expectVersion(user, version)
  const administrators = locked.filter(isAdministrator).length
  return { user, administrators }
}

async function replaceGroups(cx: Cx, user: LockedUser, after: string[]): Promise<void> {
  const rows = await cx.tx.rows<{ groupId: string }>(sql`
    delete from user_groups where user_id = ${user.id} returning group_id as "groupId"`)
  const before = rows.map(({ groupId }) => groupId)
  if (after.length > 0) {
    await cx.tx.run(sql`
      insert into user_groups (user_id, group_id) select ${user.id}, unnest(${sql.param(after)}::uuid[])`)
  }
  if (before.length === after.length && before.every((id) => after.includes(id))) return
  await deleteStoredAnswers(cx, user.id)
  await record(cx, [
    { type: "GroupsChanged", ...userRecord(user), before: { groupIds: before }, after: { groupIds: after } },
  ])
}

/** A stored idempotent answer may contain data that the user may no longer see. */
async function deleteStoredAnswers({ tx }: Cx, userId: string): Promise<void> {
  await tx.run(sql`delete from idempotency_keys where actor_id = ${userId}`)
}

async function readUserRow(cx: Cx, id: string): Promise<UserRow> {
  return (await readUser(cx.tx, id, requireUser(cx).userId))!
}
