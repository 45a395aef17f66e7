import { usersContract } from "@milkwood/domain/users/users.contract"
import { query, refused } from "../platform/calls/commands.ts"
import { admitPassword, attemptOf, succeeded } from "./attempts.ts"
import { beginSession, inTransaction, sendCookies } from "./sessions.ts"

const refusals = { wrong: "INVALID_CREDENTIALS", unconfirmed: "EMAIL_NOT_CONFIRMED", disabled: "ACCOUNT_DISABLED" }

/**
 * Signs in. Served without a transaction around it (see `inTransaction`).
 */
export const signIn = query(
  usersContract.signIn,
  async (cx) => {
    const { app, input, context } = cx
    const attemptId = await admitPassword(app, attemptOf(app, context.headers, input.email))
    const answer = await inTransaction(cx, async (work) => {
      const answer = await beginSession(work, input, context.headers)
      if (answer.outcome !== "wrong") await succeeded(work.tx, attemptId, cx.now)
      return answer
    })
    if (answer.outcome !== "signed_in") throw refused(refusals[answer.outcome])
    sendCookies(context, answer.cookies)
    return {}
  },
  { as: "auth" },
)
