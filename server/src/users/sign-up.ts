import { usersContract } from "@milkwood/domain/users/users.contract"
import { sql } from "drizzle-orm"
import { command, multiTransactionProcedure, query, refused } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { expectLinksNotHeld } from "../platform/work/mail-server.ts"
import { createLink, markLinkUsed, readValidLink, revokeLinks } from "./account-links.ts"
import { queueConfirmationMail } from "./account-mails.ts"
import { admitRequest, signInAttemptOf, withMinimumDuration } from "./attempts.ts"
import { checkAddressIsFree, checkPassword, createUser } from "./new-account.ts"
import { actorRecord, inTransaction } from "./sessions.ts"
import { readActor, readEntranceSettings } from "./users.queries.ts"

/** Options of the sign-in page. */
export const readEntrance = query(usersContract.entrance, ({ tx }) => readEntranceSettings(tx), { as: "auth" })

export const signUp = multiTransactionProcedure(usersContract.signUp, async (cx) => {
  const { app, input, context } = cx
  const { registrationOpen } = await inTransaction(cx, ({ tx }) => readEntranceSettings(tx))
  if (!registrationOpen) throw refused("REGISTRATION_CLOSED")
  await admitRequest(app, signInAttemptOf(app, context.headers, input.email))
  return inTransaction(cx, async (work) => {
    await expectLinksNotHeld(work)
    // Specification 1, section 5.
    const name = input.fullName || input.email
    // The address is checked last, so that only callers with a valid password learn which addresses have accounts.
    await checkPassword(work, input.password, [name, input.email])
    await checkAddressIsFree(work, input.email)
    const id = await createUser(work, { ...input, name, role: null, confirmed: false })
    const actor = await readActor(work.tx, id)
    await record({ ...work, actor }, [{ type: "UserSignedUp", ...actorRecord(actor), after: { email: actor.email } }])
    const link = await createLink(work, { kind: "confirmation", userId: id })
    await queueConfirmationMail(work, { id, name, email: actor.email }, link.url)
    return {}
  })
})

/** Answers alike whether or not an unconfirmed account exists. */
export const resendConfirmation = multiTransactionProcedure(usersContract.resendConfirmation, async (cx) => {
  const { app, input, context } = cx
  const mayMail = await admitRequest(app, signInAttemptOf(app, context.headers, input.email))
  const answer = inTransaction(cx, async (work) => {
    await expectLinksNotHeld(work)
    const waiting = await work.tx.row<{ id: string; name: string; email: string }>(sql`
      select id, name, email from users
      where email = ${input.email} and not email_verified and disabled_at is null for no key update`)
    if (!mayMail || !waiting) return {}
    await revokeLinks(work, waiting.id, "confirmation")
    const link = await createLink(work, { kind: "confirmation", userId: waiting.id })
    await queueConfirmationMail(work, waiting, link.url)
    return {}
  })
  return withMinimumDuration(answer)
})

/** The link works once. */
export const confirmEmail = command(
  usersContract.confirmEmail,
  async (cx) => {
    const link = await readValidLink(cx, "confirmation", cx.input.token)
    await markLinkUsed(cx, link.id)
    await cx.tx.run(sql`
      update users set email_verified = true, version = version + 1, updated_at = ${cx.now} where id = ${link.userId}`)
    const actor = await readActor(cx.tx, link.userId!)
    await record({ ...cx, actor }, [{ type: "EmailConfirmed", ...actorRecord(actor) }])
    return {}
  },
  { as: "auth" },
)
