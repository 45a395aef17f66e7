import { usersContract } from "@milkwood/domain/users/users.contract"
import { sql } from "drizzle-orm"
import { callOfItsOwn, command, query, refused } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { record } from "../platform/trail/facts.ts"
import { mailPasswordChanged } from "./account-mails.ts"
import { admitPassword, ownAttemptOf, succeeded } from "./attempts.ts"
import { checkPassword } from "./new-account.ts"
import { isPassword, setPassword } from "./passwords.ts"
import { clearingCookie } from "./session-cookie.ts"
import { aboutActor, endSessions, inTransaction, sendCookie, signedIn } from "./sessions.ts"
import { meOf } from "./users.queries.ts"

/** Who is signed in, and what they may do. */
export const me = query(usersContract.me, (cx) => meOf(cx.tx, signedIn(cx).userId), { as: "staff" })

/** Changes one's own name, and nothing else of the account. */
export const updateProfile = command(
  usersContract.updateProfile,
  async (cx) => {
    const { tx, now, actor, input } = cx
    if (actor.kind !== "user") throw refused("NO_USER")
    const before = await tx.row<{ name: string; version: number }>(
      sql`select name, version from users where id = ${actor.userId} for update`,
    )
    if (!before) throw refused("NO_USER")
    expectVersion(before, input.version)
    if (before.name !== input.name) {
      await tx.run(sql`
        update users set name = ${input.name}, version = version + 1, updated_at = ${now} where id = ${actor.userId}`)
      await record(cx, [
        { type: "ProfileUpdated", ...aboutActor(actor), before: { name: before.name }, after: { name: input.name } },
      ])
    }
    return meOf(tx, actor.userId)
  },
  { as: "staff" },
)

/**
 * Changes one's own password and ends every session, this one too. The current password is asked for under limits of
 * its own, which nobody else can use up.
 */
export const changePassword = callOfItsOwn(usersContract.changePassword, async (cx) => {
  const { app, now, input, context } = cx
  const actor = signedIn(cx)
  const attemptId = await admitPassword(app, ownAttemptOf(app, actor.email))
  await inTransaction(cx, async (work) => {
    if (!(await isPassword(work, actor.userId, input.currentPassword))) throw refused("WRONG_PASSWORD")
    await checkPassword(work, input.newPassword, [actor.name, actor.email])
    await succeeded(work.tx, attemptId, now)
    await setPassword(work, actor.userId, input.newPassword)
    await endSessions(work, actor.userId)
    await record(work, [{ type: "PasswordChanged", ...aboutActor(actor) }])
    await mailPasswordChanged(work, { id: actor.userId, name: actor.name, email: actor.email })
  })
  sendCookie(context, clearingCookie(app))
  return {}
})
