import { randomBytes, randomUUID } from "node:crypto"
import { absoluteSessionHours } from "@milkwood/domain/users/session"
import type { UserFact } from "@milkwood/domain/users/user-facts"
import { sql } from "drizzle-orm"
import type { UserActor } from "../platform/calls/actor.ts"
import { type Cx, type RequestContext, refused } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { hashPassword, verifyPassword } from "./passwords.ts"
import { sessionCookie } from "./session-cookie.ts"
import { actorOf } from "./users.queries.ts"
import { sessions } from "./users.tables.ts"

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

export type SignIn = { outcome: "signed_in"; cookie: string } | { outcome: "wrong" | "unconfirmed" | "disabled" }

/**
 * Checks address and password. A wrong address and a wrong password cost the same time, and "unconfirmed" and
 * "disabled" are told apart only after a right password.
 */
export async function signInWithPassword(
  cx: Cx,
  { email, password }: { email: string; password: string },
  headers: Headers | undefined,
): Promise<SignIn> {
  const account = await cx.tx.row<{ id: string; hash: string | null; isConfirmed: boolean }>(sql`
    select u.id, p.hash, u.email_verified as "isConfirmed"
    from users u left join passwords p on p.user_id = u.id where u.email = ${email}`)
  if (!account?.hash) {
    await hashPassword(password)
    return { outcome: "wrong" }
  }
  if (!(await verifyPassword(account.hash, password))) return { outcome: "wrong" }
  if (!account.isConfirmed) return { outcome: "unconfirmed" }
  return beginSession(cx, account.id, headers)
}

/**
 * Begins a session, in the transaction of `cx`, and puts it on record as the person's own act. The cookie of the answer
 * is to be sent once the transaction has committed.
 */
export async function beginSession(cx: Cx, userId: string, headers: Headers | undefined): Promise<SignIn> {
  const { app, tx, now } = cx
  // Locked, so that a session cannot slip past somebody who is just disabling the account.
  const account = await tx.row<{ epoch: number; disabledAt: string | null }>(sql`
    select session_epoch as epoch, disabled_at as "disabledAt" from users where id = ${userId} for no key update`)
  if (!account || account.disabledAt) return { outcome: "disabled" }
  const token = randomBytes(32).toString("base64url")
  await tx.insert(sessions).values({
    id: randomUUID(),
    userId,
    token,
    epoch: account.epoch,
    startedAt: now,
    lastActiveAt: now,
    userAgent: headers?.get("user-agent")?.slice(0, 300) ?? null,
  })
  await tx.run(sql`update users set last_sign_in_at = ${now} where id = ${userId}`)
  await tx.run(sql`delete from sessions where started_at < ${now.subtract({ hours: absoluteSessionHours })}`)
  const actor = await actorOf(tx, userId)
  await record({ ...cx, actor }, [{ type: "UserSignedIn", ...aboutActor(actor) }])
  return { outcome: "signed_in", cookie: sessionCookie(app, token) }
}

/** One transaction of the sign-in role, for calls that open their own: what they count stays when they are refused. */
export function inTransaction<C extends Omit<Cx, "tx">, T>(
  cx: C,
  work: (cx: C & Pick<Cx, "tx">) => Promise<T>,
): Promise<T> {
  return cx.app.database.transaction("auth", (tx) => work({ ...cx, tx }))
}

/** Puts a cookie on the answer of the call. */
export function sendCookie(context: RequestContext, cookie: string): void {
  context.answerHeaders?.append("set-cookie", cookie)
}

/** The person who is signed in; for commands that any signed-in account may call. */
export function signedIn(cx: Pick<Cx, "actor">): UserActor {
  if (cx.actor.kind !== "user") throw refused("UNAUTHENTICATED")
  return cx.actor
}
