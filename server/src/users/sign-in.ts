import { usersContract } from "@milkwood/domain/users/users.contract"
import { multiTransactionProcedure } from "../platform/calls/commands.ts"
import { admitPassword, attemptOf, succeeded } from "./attempts.ts"
import { inTransaction, sendSessionCookies, sessionOrRefusal, signInWithPassword } from "./sessions.ts"

/** Counts the attempt first, so that a refused one still counts. */
export const signIn = multiTransactionProcedure(usersContract.signIn, async (cx) => {
  const { app, input, context } = cx
  const attemptId = await admitPassword(app, attemptOf(app, context.headers, input.email))
  const answer = await inTransaction(cx, async (work) => {
    const answer = await signInWithPassword(work, input, context.headers)
    if (answer.outcome !== "wrong") await succeeded(work.tx, attemptId, cx.now)
    return answer
  })
  return sendSessionCookies(context, sessionOrRefusal(answer))
})
