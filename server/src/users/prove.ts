import { usersContract } from "@milkwood/domain/users/users.contract"
import { sql } from "drizzle-orm"
import { type Cx, invalidInput, multiTransactionProcedure, refused } from "../platform/calls/commands.ts"
import { admitPassword, markAttemptSucceeded, ownSignInAttemptOf } from "./attempts.ts"
import { codeAttemptOf, consumeCode } from "./codes.ts"
import { isCurrentPassword } from "./passwords.ts"
import { inTransaction, requireUser } from "./sessions.ts"
import { hasSecondFactor } from "./users.queries.ts"

/** The proof holds for this session. Attempts count like those of a sign-in. */
export const proveIdentity = multiTransactionProcedure(usersContract.prove, async (cx) => {
  const { app, now, input } = cx
  const actor = requireUser(cx)
  const { userId } = actor
  const { byCode } = await inTransaction(cx, ({ tx }) => readProofMethod(tx, userId))
  const given = byCode ? input.code : input.password
  if (!given)
    throw invalidInput([
      { path: byCode ? "code" : "password", message: `Enter ${byCode ? "the code" : "your password"}` },
    ])
  const attemptId = await admitPassword(app, byCode ? codeAttemptOf(app, userId) : ownSignInAttemptOf(app, actor.email))
  await inTransaction(cx, async (work) => {
    const isRight = byCode ? await consumeCode(work, userId, given) : await isCurrentPassword(work, userId, given)
    if (!isRight) throw refused(byCode ? "WRONG_CODE" : "WRONG_PASSWORD")
    await markAttemptSucceeded(work.tx, attemptId, now)
    const session = typeof actor.session === "object" ? actor.session.id : null
    await work.tx.run(sql`update sessions set proven_at = ${now} where id = ${session} and user_id = ${userId}`)
  })
  return {}
})

async function readProofMethod(tx: Cx["tx"], userId: string): Promise<{ byCode: boolean }> {
  return (await tx.row<{ byCode: boolean }>(
    sql`select ${hasSecondFactor} as "byCode" from users u where u.id = ${userId}`,
  ))!
}
