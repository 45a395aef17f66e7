import { randomBytes, randomUUID } from "node:crypto"
import type { Level } from "@milkwood/domain/users/account-service"
import { type HalfStage, mustHaveSecondFactor, type SessionStage } from "@milkwood/domain/users/second-factor"
import { absoluteSessionHours } from "@milkwood/domain/users/session"
import type { UserFact } from "@milkwood/domain/users/user-facts"
import { usersSettings } from "@milkwood/domain/users/users-settings"
import { sql } from "drizzle-orm"
import type { UserActor } from "../platform/calls/actor.ts"
import { type Cx, forPeople, type RequestContext, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { readSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import { addressOf, mayComeFrom } from "./allowed-addresses.ts"
import { rememberDevice, rememberProgram } from "./devices.ts"
import { hashPassword, verifyPassword } from "./passwords.ts"
import { sessionCookie } from "./session-cookie.ts"
import { keyOfProgram } from "./session-key.ts"
import { actorOf, hasSecondFactor } from "./users.queries.ts"
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

/** How a sign-in went on after its password. What is half signed in has a session that reaches its second half alone. */
export type Begun = { outcome: SessionStage; sessionId: string; cookies: string[] }
export type SignIn = Begun | { outcome: "wrong" | "unconfirmed" | "disabled" | "elsewhere" }

/** How somebody comes: in a browser, which keeps a cookie, or by a program, which is given tokens; and what they gave. */
export interface Way {
  byProgram?: boolean
  hasGivenCode?: boolean
}

/**
 * Checks address and password. A wrong address and a wrong password cost the same time, and "unconfirmed" and
 * "disabled" are told apart only after a right password.
 */
export async function signInWithPassword(
  cx: Cx,
  { email, password }: { email: string; password: string },
  headers: Headers | undefined,
  way: Way = {},
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
  return beginSession(cx, account.id, headers, way)
}

/**
 * Begins a session, in the transaction of `cx`, and puts it on record as the person's own act: a half one where a second
 * factor is to be given or set up. The cookies of the answer are to be sent once the transaction has committed; a program's
 * session has none.
 */
export async function beginSession(
  cx: Cx,
  userId: string,
  headers: Headers | undefined,
  { byProgram = false, hasGivenCode = false }: Way = {},
): Promise<SignIn> {
  const { app, tx, now } = cx
  // Locked, so that a session cannot slip past somebody who is just disabling the account.
  const account = await tx.row<{ epoch: number; disabledAt: string | null; hasSecondFactor: boolean }>(sql`
    select u.session_epoch as epoch, u.disabled_at as "disabledAt", ${hasSecondFactor} as "hasSecondFactor"
    from users u where u.id = ${userId} for no key update`)
  if (!account || account.disabledAt) return { outcome: "disabled" }
  const actor = await actorOf(tx, userId)
  const settings = await readSettings(tx, usersSettings)
  if (!mayComeFrom(headers, actor.role, settings)) {
    await record({ ...cx, actor }, [{ type: "SignInRefused", ...aboutActor(actor) }])
    return { outcome: "elsewhere" }
  }
  const stage = stageOf(account.hasSecondFactor, hasGivenCode, mustHaveSecondFactor(actor.role, settings))
  const level = hasGivenCode ? "aal2" : "aal1"
  const { sessionId, token } = await keepSession(
    cx,
    { userId, epoch: account.epoch, stage, level: byProgram ? level : null },
    headers,
  )
  const cookies = byProgram ? [] : [sessionCookie(app, token)]
  if (stage !== "signed_in") return { outcome: stage, sessionId, cookies }
  await tx.run(sql`update users set last_sign_in_at = ${now} where id = ${userId}`)
  const person = { id: userId, name: actor.name, email: actor.email }
  if (byProgram) await rememberProgram(cx, person, headers)
  else cookies.push(await rememberDevice(cx, person, headers))
  await record({ ...cx, actor }, [{ type: "UserSignedIn", ...aboutActor(actor), ...(byProgram && { byProgram }) }])
  return { outcome: stage, sessionId, cookies }
}

/** The row of a session; a program's has a level, and is found by its id. */
export async function keepSession(
  { tx, now }: Pick<Cx, "tx" | "now">,
  session: { userId: string; epoch: number; stage: SessionStage | HalfStage; level: Level | null },
  headers: Headers | undefined,
): Promise<{ sessionId: string; token: string }> {
  const sessionId = randomUUID()
  const token = session.level === null ? randomBytes(32).toString("base64url") : keyOfProgram(sessionId)
  await tx.insert(sessions).values({
    ...session,
    id: sessionId,
    token,
    startedAt: now,
    lastActiveAt: now,
    userAgent: headers?.get("user-agent")?.slice(0, 300) ?? null,
    provenAt: now,
    address: addressOf(headers),
  })
  await tx.run(sql`delete from sessions where started_at < ${now.subtract({ hours: absoluteSessionHours })}`)
  return { sessionId, token }
}

function stageOf(hasFactor: boolean, hasGivenCode: boolean, mustHaveFactor: boolean): SessionStage {
  if (hasFactor) return hasGivenCode ? "signed_in" : "second_factor"
  return mustHaveFactor ? "enrolment" : "signed_in"
}

/** The session that a sign-in began; thrown for what it came to instead, so that nothing of its transaction is kept. */
export function begunOrRefuse(answer: SignIn): Begun {
  if ("cookies" in answer) return answer
  throw refused(refusals[answer.outcome])
}

const refusals = {
  wrong: "INVALID_CREDENTIALS",
  unconfirmed: "EMAIL_NOT_CONFIRMED",
  disabled: "ACCOUNT_DISABLED",
  elsewhere: "ADDRESS_NOT_ALLOWED",
}

/** Sends the cookies of a sign-in, and answers how far it came. */
export function letIn(context: RequestContext, { outcome, cookies }: Begun): { stage: SessionStage } {
  for (const cookie of cookies) sendCookie(context, cookie)
  return { stage: outcome }
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

/** The person who is signed in; for commands that any signed-in account may call. A program has no account of its own. */
export function signedIn(cx: Pick<Cx, "actor">): UserActor {
  if (cx.actor.kind !== "user") throw refused("UNAUTHENTICATED")
  if (cx.actor.program) throw refused("FORBIDDEN", forPeople)
  return cx.actor
}

/** Without a second factor the sessions of programs are sure of themselves by the password alone. */
export async function lowerSessions(tx: Tx, userId: string): Promise<void> {
  await tx.run(sql`update sessions set level = 'aal1' where user_id = ${userId} and level is not null`)
}
