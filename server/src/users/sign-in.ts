import { usersContract } from "@milkwood/domain/users/users.contract"
import { multiTransactionProcedure } from "../platform/calls/commands.ts"
import { admitPassword, markAttemptSucceeded, signInAttemptOf } from "./attempts.ts"
import { inTransaction, requireSession, sendSessionCookies, signInWithPassword } from "./sessions.ts"

/** Counts the attempt first, so that a refused one still counts. */
export const signIn = multiTransactionProcedure(usersContract.signIn, async (cx) => {
  const { app, input, context } = cx
  const attemptId = await admitPassword(app, signInAttemptOf(app, context.headers, input.email))
  const answer = await inTransaction(cx, async (work) => {
    const answer = await signInWithPassword(work, input, context.headers)
    if (answer.outcome !== "wrong") await markAttemptSucceeded(work.tx, attemptId, cx.now)
    return answer
  })
  return sendSessionCookies(context, requireSession(answer))
})
