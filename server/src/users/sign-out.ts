import { usersContract } from "@milkwood/domain/users/users.contract"
import { command } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { createExpiredSessionCookie } from "./session-cookie.ts"
import { actorRecord, endSessions, sendCookie } from "./sessions.ts"

/** Ends every session of the account. Without a session it only clears the cookie. */
export const signOut = command(
  usersContract.signOut,
  async (cx) => {
    const { actor } = cx
    if (actor.kind === "user" && !actor.program) {
      await endSessions(cx, actor.userId)
      await record(cx, [{ type: "UserSignedOut", ...actorRecord(actor) }])
    }
    sendCookie(cx.context, createExpiredSessionCookie(cx.app))
    return {}
  },
  { as: "auth" },
)
