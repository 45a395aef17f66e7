import type { Role } from "@milkwood/domain/users/permission"
import {
  disable as decideDisable,
  changeRole as decideRole,
  isAdministrator,
  seesOnlyItsGroups,
} from "@milkwood/domain/users/user"
import { type UserRow, usersContract } from "@milkwood/domain/users/users.contract"
import { sql } from "drizzle-orm"
import { type Cx, command, orRefuse, query, refused } from "../platform/commands.ts"
import { record } from "../platform/facts.ts"
import { existingGroups } from "./invite-user.ts"
import { aboutUser, endSessions, signedIn } from "./sessions.ts"
import { listUsers, userById } from "./users.queries.ts"

/** A page of the accounts. */
export const list = query(usersContract.list, (cx) => listUsers(cx.tx, cx.input, signedIn(cx).userId))

interface LockedUser {
  id: string
  name: string
  role: Role | null
  disabledAt: string | null
  emailVerified: boolean
  version: number
}

/** Gives an account another role. Roles that see every group keep no groups. */
export const setRole = command(usersContract.setRole, async (cx) => {
  const { tx, now, input } = cx
  const { user, administrators } = await lockUser(cx, input.id, input.version)
  const role = orRefuse(decideRole(user, input.role, signedIn(cx).userId, administrators))
  if (!seesOnlyItsGroups(role)) await replaceGroups(cx, user.id, [])
  else if (input.groupIds) await replaceGroups(cx, user.id, await existingGroups(cx, input.groupIds))
  await tx.run(sql`
    update users set role = ${role}, version = version + 1, updated_at = ${now} where id = ${user.id}`)
  if (role !== user.role) {
    await record(cx, [{ type: "RoleChanged", ...aboutUser(user), before: { role: user.role }, after: { role } }])
  }
  return answer(cx, user.id)
})

/** Assigns the groups of a role that sees only its groups. */
export const setGroups = command(usersContract.setGroups, async (cx) => {
  const { user } = await lockUser(cx, cx.input.id, cx.input.version)
  if (!seesOnlyItsGroups(user.role)) throw refused("ROLE_HAS_NO_GROUPS")
  const after = await existingGroups(cx, cx.input.groupIds)
  const before = await replaceGroups(cx, user.id, after)
  await touch(cx, user.id)
  await record(cx, [
    { type: "GroupsChanged", ...aboutUser(user), before: { groupIds: before }, after: { groupIds: after } },
  ])
  return answer(cx, user.id)
})

/** Switches an account off; its sessions end in the same transaction. */
export const disable = command(usersContract.disable, async (cx) => {
  const { user, administrators } = await lockUser(cx, cx.input.id, cx.input.version)
  orRefuse(decideDisable(user, signedIn(cx).userId, administrators))
  if (user.disabledAt === null) {
    await cx.tx.run(sql`
      update users set disabled_at = ${cx.now}, version = version + 1, updated_at = ${cx.now} where id = ${user.id}`)
    await endSessions(cx, user.id)
    await record(cx, [{ type: "UserDisabled", ...aboutUser(user) }])
  }
  return answer(cx, user.id)
})

/** Switches an account on again. */
export const enable = command(usersContract.enable, async (cx) => {
  const { user } = await lockUser(cx, cx.input.id, cx.input.version)
  if (user.disabledAt !== null) {
    await cx.tx.run(sql`
      update users set disabled_at = null, version = version + 1, updated_at = ${cx.now} where id = ${user.id}`)
    await record(cx, [{ type: "UserEnabled", ...aboutUser(user) }])
  }
  return answer(cx, user.id)
})

/** Ends every session of an account. */
export const signOutEverywhere = command(usersContract.signOutEverywhere, async (cx) => {
  const { user } = await lockUser(cx, cx.input.id)
  await endSessions(cx, user.id)
  await record(cx, [{ type: "SessionsEnded", ...aboutUser(user) }])
  return {}
})

/**
 * The account and the number of administrators, all of them locked in one order: of two who demote each other, the
 * second waits, and then counts without the first. STALE when the version is not the one that was read.
 */
async function lockUser(cx: Cx, id: string, version?: number): Promise<{ user: LockedUser; administrators: number }> {
  const locked = await cx.tx.rows<LockedUser>(sql`
    select id, name, role, disabled_at as "disabledAt", email_verified as "emailVerified", version
    from users where id = ${id} or (role = 'admin' and disabled_at is null and email_verified)
    order by id for update`)
  const user = locked.find((row) => row.id === id)
  if (!user) throw refused("NOT_FOUND")
  if (version !== undefined && user.version !== version) {
    throw refused("STALE", undefined, { current: await answer(cx, id) })
  }
  const administrators = locked.filter(isAdministrator).length
  return { user, administrators }
}

async function replaceGroups({ tx }: Pick<Cx, "tx">, userId: string, groupIds: string[]): Promise<string[]> {
  const before = await tx.rows<{ groupId: string }>(sql`
    delete from user_groups where user_id = ${userId} returning group_id as "groupId"`)
  if (groupIds.length > 0) {
    await tx.run(sql`
      insert into user_groups (user_id, group_id) select ${userId}, unnest(${sql.param(groupIds)}::uuid[])`)
  }
  // An answer that was kept for a repeated request may tell of a group that is not theirs any more.
  await tx.run(sql`delete from idempotency_keys where actor_id = ${userId}`)
  return before.map((row) => row.groupId)
}

async function touch({ tx, now }: Pick<Cx, "tx" | "now">, userId: string): Promise<void> {
  await tx.run(sql`update users set version = version + 1, updated_at = ${now} where id = ${userId}`)
}

async function answer(cx: Cx, id: string): Promise<UserRow> {
  return (await userById(cx.tx, id, signedIn(cx).userId))!
}
