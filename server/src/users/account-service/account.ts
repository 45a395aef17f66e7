import type { bodies } from "@milkwood/domain/users/account-service-shape"
import { call } from "@orpc/server"
import { sql } from "drizzle-orm"
import type { z } from "zod"
import type { UserActor } from "../../platform/calls/actor.ts"
import { refused } from "../../platform/calls/commands.ts"
import { expectProof } from "../../platform/calls/proof.ts"
import { openLink, spendLink } from "../account-links.ts"
import { admitPassword, ownAttemptOf, succeeded } from "../attempts.ts"
import { admitNewAddress, askForAddress, confirmNewEmail } from "../change-email.ts"
import { isPassword } from "../passwords.ts"
import { rename, replacePassword } from "../profile.ts"
import { insertSession, inTransaction } from "../sessions.ts"
import { confirmEmail } from "../sign-up.ts"
import { actorOf } from "../users.queries.ts"
import { type Account, accountOf } from "./account.queries.ts"
import {
  inSession,
  issueTokens,
  levelNeeded,
  type OwnCx,
  type OwnWork,
  type ProgramSession,
  type Tokens,
} from "./program-sessions.ts"
import { signingKey } from "./signing-keys.ts"

type Body<Name extends keyof typeof bodies> = z.output<(typeof bodies)[Name]>

/** Also for half sessions: a program reads here which second factor to ask for. */
export const showAccount = (cx: OwnCx): Promise<Account> => inSession(cx, (work, { userId }) => accountOf(work, userId))

/**
 * Changes the name, requests another address, or sets another password and ends every session. An address requires a
 * proof of the last ten minutes, as does a password sent without the current one.
 */
export async function changeAccount(cx: OwnCx, input: Body<"user">): Promise<Account> {
  // Authenticate first, so that an anonymous caller cannot use up the limits of an address or account.
  const { email, stage } = await inSession(cx, async (work, session) => ({
    ...session,
    ...(await actorIn(work, session)),
  }))
  if (input.email !== undefined && stage === "signed_in") await admitNewAddress(cx, input.email)
  const isTried = input.current_password !== undefined && input.password !== undefined && stage === "signed_in"
  const attemptId = isTried ? await admitPassword(cx.app, ownAttemptOf(cx.app, email)) : undefined
  return inSession(cx, async (work, session) => {
    const actor = await actorIn(work, session)
    const own = { ...work, actor }
    if (input.password !== undefined && session.stage === "recovery") {
      await replacePassword(own, actor, input.password, "PasswordReset")
      // Not earlier: the previous password may be another person's.
      await work.tx.run(sql`update users set email_verified = true where id = ${actor.userId}`)
      return accountOf(work, actor.userId)
    }
    if (session.stage !== "signed_in") throw levelNeeded()
    if (input.password !== undefined) {
      if (attemptId === undefined) expectProof(own)
      else if (await isPassword(work, actor.userId, input.current_password!))
        await succeeded(work.tx, attemptId, work.now)
      else throw refused("WRONG_PASSWORD")
      await replacePassword(own, actor, input.password)
    } else if (input.email !== undefined) {
      expectProof(own)
      await askForAddress(own, actor, input.email)
    } else if (input.data?.full_name) {
      const { name } = (await work.tx.row<{ name: string }>(
        sql`select name from users where id = ${actor.userId} for update`,
      ))!
      await rename(own, actor, name, input.data.full_name)
    }
    return accountOf(work, actor.userId)
  })
}

async function actorIn({ tx, context }: OwnWork, { userId }: ProgramSession): Promise<UserActor> {
  const { actor } = context
  return actor?.kind === "user" ? actor : actorOf(tx, userId)
}

/**
 * Uses the token of an e-mailed link. Confirms the address of a sign-up or of another address. For a forgotten password
 * it starts a session that can only set a new password with `PUT /user`.
 */
export async function verifyLink(cx: OwnCx, input: Body<"verify">): Promise<Tokens | { user: Account }> {
  const token = (input.token_hash ?? input.token)!
  const { context } = cx
  if (input.type === "recovery") return beginRecovery(cx, token)
  const kind = input.type === "email_change" ? "email_change" : "confirmation"
  const { userId } = await inTransaction(cx, (work) => openLink(work, kind, token))
  await call(kind === "email_change" ? confirmNewEmail : confirmEmail, { token }, { context })
  return inTransaction(cx, async (work) => ({ user: await accountOf(work, userId!) }))
}

async function beginRecovery(cx: OwnCx, token: string): Promise<Tokens> {
  const signer = await signingKey(cx.app)
  return inTransaction(cx, async (work) => {
    const { tx, context } = work
    const { id, userId } = await openLink(work, "password_reset", token)
    await spendLink(work, id)
    const account = await tx.row<{ epoch: number }>(sql`select session_epoch as epoch from users where id = ${userId}`)
    const session = { userId: userId!, epoch: account!.epoch, stage: "recovery", level: "aal1" } as const
    const { sessionId } = await insertSession(work, session, context.headers)
    return issueTokens(work, signer, sessionId)
  })
}
