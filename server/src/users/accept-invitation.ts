import { usersContract } from "@milkwood/domain/users/users.contract"
import { sql } from "drizzle-orm"
import { command } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { openLink, spendLink } from "./account-links.ts"
import { checkPassword, makeUser } from "./new-account.ts"
import { aboutActor, beginSession, sendSessionCookies, sessionOrRefusal } from "./sessions.ts"
import { actorOf } from "./users.queries.ts"

/** A POST, so that the token never appears in an address. */
export const lookAtLink = command(
  usersContract.link,
  async (cx) => {
    const link = await openLink(cx, cx.input.kind, cx.input.token)
    const owner = link.userId ? await actorOf(cx.tx, link.userId) : undefined
    const anybody = await cx.tx.row(sql`select from users limit 1`)
    return {
      email: link.email ?? owner?.email ?? null,
      role: link.role,
      firstSetup: link.kind === "setup" && anybody === undefined,
    }
  },
  { as: "auth" },
)

/** Of two concurrent acceptances, one is refused. */
export const acceptInvitation = command(
  usersContract.acceptInvitation,
  async (cx) => {
    const { tx, input, context } = cx
    const { id, email, role, groupIds } = await openLink(cx, "invitation", input.token)
    const { fullName: name, password } = input
    await checkPassword(cx, password, [name, email!])
    const userId = await makeUser(cx, { email: email!, password, name, role, groupIds, confirmed: true })
    await spendLink(cx, id)
    const actor = await actorOf(tx, userId)
    await record({ ...cx, actor }, [
      { type: "InvitationAccepted", ...aboutActor(actor), after: { email: actor.email, role: role!, groupIds } },
    ])
    return sendSessionCookies(context, sessionOrRefusal(await beginSession(cx, userId, context.headers)))
  },
  { as: "auth" },
)
