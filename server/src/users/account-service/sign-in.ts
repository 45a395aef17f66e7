import type { bodies } from "@milkwood/domain/users/account-service-shape"
import { call } from "@orpc/server"
import { sql } from "drizzle-orm"
import type { z } from "zod"
import { record } from "../../platform/trail/facts.ts"
import { admitPassword, markAttemptSucceeded, signInAttemptOf } from "../attempts.ts"
import { actorRecord, endSessions, inTransaction, requireSession, signInWithPassword } from "../sessions.ts"
import { signUp } from "../sign-up.ts"
import { readActor } from "../users.queries.ts"
import { type Account, readAccount } from "./account.queries.ts"
import { Problem } from "./problems.ts"
import { issueTokens, type ProgramCx, type Tokens, withSession } from "./program-sessions.ts"
import { signingKey } from "./signing-keys.ts"

type Body<Name extends keyof typeof bodies> = z.output<(typeof bodies)[Name]>

/** Signs a program in, with the usual sign-in limits. The session is aal1 until a second factor is verified. */
export async function signInProgram(cx: ProgramCx, input: Body<"password">): Promise<Tokens> {
  const { app, now, context } = cx
  const attemptId = await admitPassword(app, signInAttemptOf(app, context.headers, input.email))
  const signer = await signingKey(app)
  const answer = await inTransaction(cx, async (work) => {
    const signIn = await signInWithPassword(work, input, context.headers, { byProgram: true })
    if (signIn.outcome !== "wrong") await markAttemptSucceeded(work.tx, attemptId, now)
    return "sessionId" in signIn ? issueTokens(work, signer, signIn.sessionId) : signIn
  })
  if ("access_token" in answer) return answer
  requireSession(answer)
  throw new Error("sign-in neither started nor refused")
}

/** Creates an unconfirmed account, like the sign-up page, while the setting allows sign-ups. */
export async function signUpProgram(cx: ProgramCx, { email, password, data }: Body<"signUp">): Promise<Account> {
  const { context } = cx
  await call(signUp, { email, password, fullName: data?.full_name ?? "" }, { context })
  return inTransaction(cx, async (work) => {
    const made = await work.tx.row<{ id: string }>(sql`select id from users where email = ${email}`)
    return { ...(await readAccount(work, made!.id)), confirmation_sent_at: cx.now.toString() }
  })
}

/** The scopes include browser sessions. */
export async function signOutProgram(cx: ProgramCx, scope: string): Promise<undefined> {
  if (scope !== "global" && scope !== "local" && scope !== "others")
    throw new Problem(400, "validation_failed", "scope must be global, local or others")
  await withSession(cx, async (work, session) => {
    const { tx } = work
    const { userId, id } = session
    const actor = await readActor(tx, userId)
    // A partial session cannot end other sessions.
    if (scope === "local" || session.stage !== "signed_in") {
      await tx.run(sql`delete from sessions where id = ${id}`)
      await record({ ...work, actor }, [{ type: "ProgramSignedOut", ...actorRecord(actor) }])
    } else if (scope === "others") {
      const ended = await tx.run(sql`delete from sessions where user_id = ${userId} and id <> ${id}`)
      if (ended > 0) await record({ ...work, actor }, [{ type: "OtherSessionsEnded", ...actorRecord(actor) }])
    } else {
      await endSessions(work, userId)
      await record({ ...work, actor }, [{ type: "UserSignedOut", ...actorRecord(actor) }])
    }
  })
  return undefined
}
