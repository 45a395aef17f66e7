import { usersContract } from "@milkwood/domain/users/users.contract"
import { callOfItsOwn, refused } from "../platform/calls/commands.ts"
import { admitPassword, attemptOf, succeeded } from "./attempts.ts"
import { inTransaction, sendCookie, signInWithPassword } from "./sessions.ts"

const refusals = { wrong: "INVALID_CREDENTIALS", unconfirmed: "EMAIL_NOT_CONFIRMED", disabled: "ACCOUNT_DISABLED" }

/** Signs in. The attempt is counted first, and stays counted when it is refused. */
export const signIn = callOfItsOwn(usersContract.signIn, async (cx) => {
  const { app, input, context } = cx
  const attemptId = await admitPassword(app, attemptOf(app, context.headers, input.email))
  const answer = await inTransaction(cx, async (work) => {
    const answer = await signInWithPassword(work, input, context.headers)
    if (answer.outcome !== "wrong") await succeeded(work.tx, attemptId, cx.now)
    return answer
  })
  if (answer.outcome !== "signed_in") throw refused(refusals[answer.outcome])
  sendCookie(context, answer.cookie)
  return {}
})
