import { usersContract } from "@milkwood/domain/users/users.contract"
import { sql } from "drizzle-orm"
import type { UserActor } from "../platform/calls/actor.ts"
import { type Cx, command, multiTransactionProcedure, query, refused } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { record } from "../platform/trail/facts.ts"
import { queuePasswordChangedMail } from "./account-mails.ts"
import { admitPassword, markAttemptSucceeded, ownSignInAttemptOf } from "./attempts.ts"
import { checkPassword } from "./new-account.ts"
import { isCurrentPassword, setPassword } from "./passwords.ts"
import { createExpiredSessionCookie } from "./session-cookie.ts"
import { actorRecord, endSessions, inTransaction, requireUser, sendCookie } from "./sessions.ts"
import { readMe } from "./users.queries.ts"

export const me = query(usersContract.me, (cx) => readMe(cx.tx, requireUser(cx).userId), { as: "staff" })

export const updateProfile = command(
  usersContract.updateProfile,
  async (cx) => {
    const { tx, input } = cx
    if (cx.actor.kind !== "user") throw refused("NO_USER")
    const actor = requireUser(cx)
    const before = await tx.row<{ name: string; version: number }>(
      sql`select name, version from users where id = ${actor.userId} for update`,
    )
    if (!before) throw refused("NO_USER")
    expectVersion(before, input.version)
    await renameUser(cx, actor, before.name, input.name)
    return readMe(tx, actor.userId)
  },
  { as: "staff" },
)

/** The caller must have locked the account's row. */
export async function renameUser(cx: Cx, actor: UserActor, before: string, name: string): Promise<void> {
  if (before === name) return
  await cx.tx.run(sql`
    update users set name = ${name}, version = version + 1, updated_at = ${cx.now} where id = ${actor.userId}`)
  await record(cx, [{ type: "ProfileUpdated", ...actorRecord(actor), before: { name: before }, after: { name } }])
}

/**
 * Also ends the current session. Attempts for the current password are counted separately, so that other callers cannot
 * use up the limit.
 */
export const changePassword = multiTransactionProcedure(usersContract.changePassword, async (cx) => {
  const { app, now, input, context } = cx
  const actor = requireUser(cx)
  const attemptId = await admitPassword(app, ownSignInAttemptOf(app, actor.email))
  await inTransaction(cx, async (work) => {
    if (!(await isCurrentPassword(work, actor.userId, input.currentPassword))) throw refused("WRONG_PASSWORD")
    await markAttemptSucceeded(work.tx, attemptId, now)
    await replacePassword(work, actor, input.newPassword)
  })
  sendCookie(context, createExpiredSessionCookie(app))
  return {}
})

/** Ends every session and notifies the user by e-mail. */
export async function replacePassword(
  cx: Cx,
  actor: UserActor,
  password: string,
  type: "PasswordChanged" | "PasswordReset" = "PasswordChanged",
): Promise<void> {
  await checkPassword(cx, password, [actor.name, actor.email])
  await setPassword(cx, actor.userId, password)
  await endSessions(cx, actor.userId)
  await record({ ...cx, actor }, [{ type, ...actorRecord(actor) }])
  await queuePasswordChangedMail(cx, { id: actor.userId, name: actor.name, email: actor.email })
}
