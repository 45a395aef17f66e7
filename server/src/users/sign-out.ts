import { usersContract } from "@milkwood/domain/users/users.contract"
import { command } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { clearingCookies } from "./identity.ts"
import { aboutActor, endSessions, sendCookies } from "./sessions.ts"

/** Ends every session of the account and clears the cookie; without a session it clears the cookie only. */
export const signOut = command(
  usersContract.signOut,
  async (cx) => {
    const { actor } = cx
    if (actor.kind === "user") {
      await endSessions(cx, actor.userId)
      await record(cx, [{ type: "UserSignedOut", ...aboutActor(actor) }])
    }
    sendCookies(cx.context, await clearingCookies(cx))
    return {}
  },
  { as: "auth" },
)
