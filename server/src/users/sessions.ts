import { absoluteSessionHours } from "@milkwood/domain/users/session"
import type { UserFact } from "@milkwood/domain/users/user-facts"
import { sql } from "drizzle-orm"
import type { UserActor } from "../platform/calls/actor.ts"
import { type Cx, type RequestContext, refused } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { type PasswordAnswer, signInWithPassword } from "./identity.ts"
import { actorOf } from "./users.queries.ts"

/** The record that a fact about an account is about. */
export const aboutUser = (user: { id: string; name: string }): { record: UserFact["record"]; groupId: null } => ({
  record: { kind: "user", id: user.id, label: user.name },
  groupId: null,
})

/** The same, of a person who acts on the own account. */
export const aboutActor = (actor: UserActor) => aboutUser({ id: actor.userId, name: actor.name })

/** Ends every session of an account, in the transaction of what is the reason for it. */
export async function endSessions({ tx }: Pick<Cx, "tx">, userId: string): Promise<void> {
  await tx.run(sql`update users set session_epoch = session_epoch + 1 where id = ${userId}`)
}

/**
 * Signs in, in the transaction of `cx`, and puts it on record as the person's own act. The cookies of the answer are
 * to be sent once the transaction has committed.
 */
export async function beginSession(
  cx: Cx,
  credentials: { email: string; password: string },
  headers: Headers | undefined,
): Promise<PasswordAnswer> {
  const answer = await signInWithPassword(cx, credentials, headers)
  if (answer.outcome !== "signed_in") return answer
  const { tx, now } = cx
  await tx.run(sql`update users set last_sign_in_at = ${now} where id = ${answer.userId}`)
  await tx.run(sql`delete from sessions where started_at < ${now.subtract({ hours: absoluteSessionHours })}`)
  const actor = await actorOf(tx, answer.userId)
  await record({ ...cx, actor }, [{ type: "UserSignedIn", ...aboutActor(actor) }])
  return answer
}

/**
 * One transaction of the sign-in role, for calls that are served without one around them: they first count the
 * attempt in a transaction of its own, which stays when the call is refused. Two at once, one inside the other,
 * would let a crowd of callers wait for each other's connections.
 */
export function inTransaction<C extends Cx, T>(cx: C, work: (cx: C) => Promise<T>): Promise<T> {
  return cx.app.database.transaction("auth", (tx) => work({ ...cx, tx }))
}

/** Puts cookies on the answer of the call. */
export function sendCookies(context: RequestContext, cookies: readonly string[]): void {
  for (const cookie of cookies) context.answerHeaders?.append("set-cookie", cookie)
}

/** The person who is signed in; for commands that any signed-in account may call. */
export function signedIn(cx: Pick<Cx, "actor">): UserActor {
  if (cx.actor.kind !== "user") throw refused("UNAUTHENTICATED")
  return cx.actor
}
