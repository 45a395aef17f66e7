import { usersContract } from "@milkwood/domain/users/users.contract"
import { sql } from "drizzle-orm"
import type { UserActor } from "../platform/calls/actor.ts"
import { type CallCx, type Cx, command, multiTransactionProcedure, refused } from "../platform/calls/commands.ts"
import { expectProof } from "../platform/calls/proof.ts"
import { violatedConstraint } from "../platform/database/database.ts"
import { holdLock } from "../platform/database/locks.ts"
import { record } from "../platform/trail/facts.ts"
import { expectLinksNotHeld, isMailEnabled } from "../platform/work/mail-server.ts"
import { createLink, readValidLink, revokeLinks } from "./account-links.ts"
import { queueAccountChangeMail, queueNewAddressMail } from "./account-mails.ts"
import { admitRequest, signInAttemptOf } from "./attempts.ts"
import { checkAddressIsFree } from "./new-account.ts"
import { actorRecord, inTransaction, requireUser } from "./sessions.ts"
import { readActor } from "./users.queries.ts"

/** E-mails a link to the new address; only the last request counts. */
export const changeEmail = multiTransactionProcedure(usersContract.changeEmail, async (cx) => {
  const actor = requireUser(cx)
  expectProof(cx)
  await admitNewAddress(cx, cx.input.email)
  return inTransaction(cx, async (work) => {
    await requestAddressChange(work, actor, cx.input.email)
    return { mail: (await isMailEnabled(work)) ? ("queued" as const) : ("kept" as const) }
  })
})

/** Counts the mail before the transaction of the request, so that a refusal stays counted. */
export async function admitNewAddress({ app, context }: Pick<CallCx<unknown>, "app" | "context">, email: string) {
  if (!(await admitRequest(app, signInAttemptOf(app, context.headers, email)))) throw refused("TOO_MANY")
}

export async function requestAddressChange(cx: Cx, actor: UserActor, newEmail: string): Promise<void> {
  const { userId: id, name, email } = actor
  await expectLinksNotHeld(cx)
  await cx.tx.run(sql`select from users where id = ${id} for no key update`)
  await checkAddressIsFree(cx, newEmail)
  await revokeLinks(cx, id, "email_change")
  const link = await createLink(cx, { kind: "email_change", userId: id, email: newEmail })
  await record(cx, [{ type: "EmailChangeAsked", ...actorRecord(actor), after: { email: newEmail } }])
  await queueNewAddressMail(cx, { id, name, email }, newEmail, link.url)
}

/** Changes the address by its link, notifies the old address and revokes links sent to it. */
export const confirmNewEmail = command(
  usersContract.confirmNewEmail,
  async (cx) => {
    const { tx, now, input } = cx
    const link = await readValidLink(cx, "email_change", input.token)
    const actor = await readActor(tx, link.userId!)
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
      { type: "EmailChanged", ...actorRecord(actor), before: { email: actor.email }, after: { email } },
    ])
    const old = { id: actor.userId, name: actor.name, email: actor.email }
    await queueAccountChangeMail(
      cx,
      old,
      "Your e-mail address was changed",
      `Your account now uses the address ${email}. You can no longer sign in with the previous address.`,
    )
    return {}
  },
  { as: "auth" },
)
