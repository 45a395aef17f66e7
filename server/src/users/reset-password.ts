import { usersContract } from "@milkwood/domain/users/users.contract"
import { sql } from "drizzle-orm"
import { command, multiTransactionProcedure } from "../platform/calls/commands.ts"
import { expectLinksNotHeld } from "../platform/work/mail-server.ts"
import { createLink, markLinkUsed, readValidLink, revokeLinks } from "./account-links.ts"
import { queuePasswordResetMail } from "./account-mails.ts"
import { admitRequest, signInAttemptOf, withMinimumDuration } from "./attempts.ts"
import { replacePassword } from "./profile.ts"
import { inTransaction } from "./sessions.ts"
import { readActor } from "./users.queries.ts"

/** The answer does not reveal whether the address has an account. */
export const requestPasswordReset = multiTransactionProcedure(usersContract.requestPasswordReset, async (cx) => {
  const { app, input, context } = cx
  const mayMail = await admitRequest(app, signInAttemptOf(app, context.headers, input.email))
  const answer = inTransaction(cx, async (work) => {
    await expectLinksNotHeld(work)
    const account = await work.tx.row<{ id: string; name: string; email: string }>(sql`
      select id, name, email from users where email = ${input.email} and disabled_at is null for no key update`)
    if (!mayMail || !account) return {}
    await revokeLinks(work, account.id, "password_reset")
    const link = await createLink(work, { kind: "password_reset", userId: account.id })
    await queuePasswordResetMail(work, account, link.url)
    return {}
  })
  return withMinimumDuration(answer)
})

/** The link works once and confirms the address. Every session ends. */
export const resetPassword = command(
  usersContract.resetPassword,
  async (cx) => {
    const { tx, now, input } = cx
    const link = await readValidLink(cx, "password_reset", input.token)
    const actor = await readActor(tx, link.userId!)
    await markLinkUsed(cx, link.id)
    await replacePassword(cx, actor, input.password, "PasswordReset")
    await tx.run(sql`
      update users set email_verified = true, version = version + 1, updated_at = ${now} where id = ${actor.userId}`)
    return {}
  },
  { as: "auth" },
)
