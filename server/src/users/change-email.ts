import { usersContract } from "@milkwood/domain/users/users.contract"
import { sql } from "drizzle-orm"
import { callOfItsOwn, command, refused } from "../platform/calls/commands.ts"
import { expectProof } from "../platform/calls/proof.ts"
import { violatedConstraint } from "../platform/database/database.ts"
import { holdLock } from "../platform/database/locks.ts"
import { record } from "../platform/trail/facts.ts"
import { isMailed } from "../platform/work/mail.ts"
import { makeLink, openLink, revokeLinks } from "./account-links.ts"
import { mailAccountChange, mailNewAddress } from "./account-mails.ts"
import { admitRequest, attemptOf } from "./attempts.ts"
import { checkAddressIsFree } from "./new-account.ts"
import { aboutActor, inTransaction, signedIn } from "./sessions.ts"
import { actorOf } from "./users.queries.ts"

/** Mails a link to the new address; the last one that was asked for counts. */
export const changeEmail = callOfItsOwn(usersContract.changeEmail, async (cx) => {
  const { app, input, context } = cx
  const actor = signedIn(cx)
  const { userId: id, name, email } = actor
  expectProof(cx)
  if (!(await admitRequest(app, attemptOf(app, context.headers, input.email)))) throw refused("TOO_MANY")
  await inTransaction(cx, async (work) => {
    await work.tx.run(sql`select from users where id = ${id} for no key update`)
    await checkAddressIsFree(work, input.email)
    await revokeLinks(work, id, "email_change")
    const link = await makeLink(work, { kind: "email_change", userId: id, email: input.email })
    await record(work, [{ type: "EmailChangeAsked", ...aboutActor(actor), after: { email: input.email } }])
    await mailNewAddress(work, { id, name, email }, input.email, link.url)
  })
  return { mail: isMailed(app) ? ("queued" as const) : ("kept" as const) }
})

/** Changes the address by the link, and tells the old one. Links that went to the old address end. */
export const confirmNewEmail = command(
  usersContract.confirmNewEmail,
  async (cx) => {
    const { tx, now, input } = cx
    const link = await openLink(cx, "email_change", input.token)
    const actor = await actorOf(tx, link.userId!)
    const email = link.email!
    await holdLock(tx, "account", email)
    await checkAddressIsFree(cx, email)
    await revokeLinks(cx, actor.userId)
    await tx.run(sql`update account_links set used_at = ${now}, revoked_at = null where id = ${link.id}`)
    try {
      await tx.run(sql`
        update users set email = ${email}, email_verified = true, version = version + 1, updated_at = ${now}
        where id = ${actor.userId}`)
    } catch (error) {
      if (violatedConstraint(error) === "users_email_key") throw refused("USER_ALREADY_REGISTERED")
      throw error
    }
    await record({ ...cx, actor }, [
      { type: "EmailChanged", ...aboutActor(actor), before: { email: actor.email }, after: { email } },
    ])
    const old = { id: actor.userId, name: actor.name, email: actor.email }
    await mailAccountChange(
      cx,
      old,
      "Your e-mail address was changed",
      `Your account is now used with the address ${email}, and no longer with this one.`,
    )
    return {}
  },
  { as: "auth" },
)
