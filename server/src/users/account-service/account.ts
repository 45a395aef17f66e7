import type { bodies } from "@milkwood/domain/users/account-service-shape"
import { call } from "@orpc/server"
import { sql } from "drizzle-orm"
import type { z } from "zod"
import type { UserActor } from "../../platform/calls/actor.ts"
import { refused } from "../../platform/calls/commands.ts"
import { expectProof } from "../../platform/calls/proof.ts"
import { markLinkUsed, readValidLink } from "../account-links.ts"
import { admitPassword, markAttemptSucceeded, ownSignInAttemptOf } from "../attempts.ts"
import { admitNewAddress, confirmNewEmail, requestAddressChange } from "../change-email.ts"
import { isCurrentPassword } from "../passwords.ts"
import { renameUser, replacePassword } from "../profile.ts"
import { insertSession, inTransaction } from "../sessions.ts"
import { confirmEmail } from "../sign-up.ts"
import { readActor } from "../users.queries.ts"
import { type Account, readAccount } from "./account.queries.ts"
import {
  issueTokens,
  levelNeededProblem,
  type ProgramCx,
  type ProgramSession,
  type ProgramWork,
  type Tokens,
  withSession,
} from "./program-sessions.ts"
import { signingKey } from "./signing-keys.ts"

type Body<Name extends keyof typeof bodies> = z.output<(typeof bodies)[Name]>

/** Partial sessions may call it too: a program reads here which second factor it must ask for. */
export const readOwnAccount = (cx: ProgramCx): Promise<Account> =>
  withSession(cx, (work, { userId }) => readAccount(work, userId))

/**
 * Changes the name, requests another address, or sets another password and ends every session. An address requires a
 * proof of the last ten minutes, as does a password sent without the current one.
 */
export async function changeAccount(cx: ProgramCx, input: Body<"user">): Promise<Account> {
  // Authenticate first, so that an anonymous caller cannot use up the limits of an address or account.
  const { email, stage } = await withSession(cx, async (work, session) => ({
    ...session,
    ...(await sessionActorOf(work, session)),
  }))
  if (input.email !== undefined && stage === "signed_in") await admitNewAddress(cx, input.email)
  const isTried = input.current_password !== undefined && input.password !== undefined && stage === "signed_in"
  const attemptId = isTried ? await admitPassword(cx.app, ownSignInAttemptOf(cx.app, email)) : undefined
  return withSession(cx, async (work, session) => {
    const actor = await sessionActorOf(work, session)
    const own = { ...work, actor }
    if (input.password !== undefined && session.stage === "recovery") {
      await replacePassword(own, actor, input.password, "PasswordReset")
      // Confirmed only after the new password is set, because another person may know the previous one.
      await work.tx.run(sql`update users set email_verified = true where id = ${actor.userId}`)
      return readAccount(work, actor.userId)
    }
    if (session.stage !== "signed_in") throw levelNeededProblem()
    if (input.password !== undefined) {
      if (attemptId === undefined) expectProof(own)
      else if (await isCurrentPassword(work, actor.userId, input.current_password!))
        await markAttemptSucceeded(work.tx, attemptId, work.now)
      else throw refused("WRONG_PASSWORD")
      await replacePassword(own, actor, input.password)
    } else if (input.email !== undefined) {
      expectProof(own)
      await requestAddressChange(own, actor, input.email)
    } else if (input.data?.full_name) {
      const { name } = (await work.tx.row<{ name: string }>(
        sql`select name from users where id = ${actor.userId} for update`,
      ))!
      await renameUser(own, actor, name, input.data.full_name)
    }
    return readAccount(work, actor.userId)
  })
}

async function sessionActorOf({ tx, context }: ProgramWork, { userId }: ProgramSession): Promise<UserActor> {
  const { actor } = context
  return actor?.kind === "user" ? actor : readActor(tx, userId)
}

/**
 * Uses the token of an e-mailed link. Confirms the address of a sign-up or of another address. For a forgotten password
 * it starts a session that can only set a new password with `PUT /user`.
 */
export async function verifyLink(cx: ProgramCx, input: Body<"verify">): Promise<Tokens | { user: Account }> {
  const token = (input.token_hash ?? input.token)!
  const { context } = cx
  if (input.type === "recovery") return beginRecovery(cx, token)
  const kind = input.type === "email_change" ? "email_change" : "confirmation"
  const { userId } = await inTransaction(cx, (work) => readValidLink(work, kind, token))
  await call(kind === "email_change" ? confirmNewEmail : confirmEmail, { token }, { context })
  return inTransaction(cx, async (work) => ({ user: await readAccount(work, userId!) }))
}

async function beginRecovery(cx: ProgramCx, token: string): Promise<Tokens> {
  const signer = await signingKey(cx.app)
  return inTransaction(cx, async (work) => {
    const { tx, context } = work
    const { id, userId } = await readValidLink(work, "password_reset", token)
    await markLinkUsed(work, id)
    const account = await tx.row<{ epoch: number }>(sql`select session_epoch as epoch from users where id = ${userId}`)
    const session = { userId: userId!, epoch: account!.epoch, stage: "recovery", level: "aal1" } as const
    const { sessionId } = await insertSession(work, session, context.headers)
    return issueTokens(work, signer, sessionId)
  })
}
