import { usersContract } from "@milkwood/domain/users/users.contract"
import { sql } from "drizzle-orm"
import { command } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { markLinkUsed, readValidLink } from "./account-links.ts"
import { checkPassword, createUser } from "./new-account.ts"
import { actorRecord, beginSession, requireSession, sendSessionCookies } from "./sessions.ts"
import { readActor } from "./users.queries.ts"

/** A POST, so that the token never appears in a URL. */
export const readLink = command(
  usersContract.link,
  async (cx) => {
    const link = await readValidLink(cx, cx.input.kind, cx.input.token)
    const owner = link.userId ? await readActor(cx.tx, link.userId) : undefined
    const anybody = await cx.tx.row(sql`select from users limit 1`)
    return {
      email: link.email ?? owner?.email ?? null,
      role: link.role,
      firstSetup: link.kind === "setup" && anybody === undefined,
    }
  },
  { as: "auth" },
)

/** The second of two concurrent acceptances is refused. */
export const acceptInvitation = command(
  usersContract.acceptInvitation,
  async (cx) => {
    const { tx, input, context } = cx
    const { id, email, role, groupIds } = await readValidLink(cx, "invitation", input.token)
    const { fullName: name, password } = input
    await checkPassword(cx, password, [name, email!])
    const userId = await createUser(cx, { email: email!, password, name, role, groupIds, confirmed: true })
    await markLinkUsed(cx, id)
    const actor = await readActor(tx, userId)
    await record({ ...cx, actor }, [
      { type: "InvitationAccepted", ...actorRecord(actor), after: { email: actor.email, role: role!, groupIds } },
    ])
    return sendSessionCookies(context, requireSession(await beginSession(cx, userId, context.headers)))
  },
  { as: "auth" },
)
