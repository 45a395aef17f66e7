import { usersContract } from "@milkwood/domain/users/users.contract"
import { query, refused } from "../platform/commands.ts"
import { admitPassword, attemptOf, succeeded } from "./attempts.ts"
import { beginSession, sendCookies } from "./sessions.ts"

const refusals = { wrong: "INVALID_CREDENTIALS", unconfirmed: "EMAIL_NOT_CONFIRMED", disabled: "ACCOUNT_DISABLED" }

/**
 * Signs in. Served without a transaction around it, because the attempt is counted in one of its own: it must stay
 * counted when the sign-in is refused.
 */
export const signIn = query(
  usersContract.signIn,
  async (cx) => {
    const { house, input, context } = cx
    const attemptId = await admitPassword(house, attemptOf(house, context.headers, input.email))
    const answer = await house.database.transaction("auth", async (tx) => {
      const answer = await beginSession({ ...cx, tx }, input, context.headers)
      if (answer.outcome !== "wrong") await succeeded(tx, attemptId, cx.now)
      return answer
    })
    if (answer.outcome !== "signed_in") throw refused(refusals[answer.outcome])
    sendCookies(context, answer.cookies)
    return {}
  },
  { as: "auth" },
)
