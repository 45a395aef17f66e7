import { randomBytes, randomUUID } from "node:crypto"
import type { Level } from "@milkwood/domain/users/account-service"
import { mustHaveSecondFactor, type PartialSessionStage, type SessionStage } from "@milkwood/domain/users/second-factor"
import { absoluteSessionHours } from "@milkwood/domain/users/session"
import type { UserFact } from "@milkwood/domain/users/user-facts"
import { usersSettings } from "@milkwood/domain/users/users-settings"
import { sql } from "drizzle-orm"
import type { UserActor } from "../platform/calls/actor.ts"
import { type Cx, personOnlyMessage, type RequestContext, refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { readSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import { clientAddressOf, isAddressAllowed } from "./allowed-addresses.ts"
import { rememberDevice, rememberProgram } from "./devices.ts"
import { hashPassword, verifyPassword } from "./passwords.ts"
import { createSessionCookie } from "./session-cookie.ts"
import { programSessionKeyOf } from "./session-key.ts"
import { hasSecondFactor, readActor } from "./users.queries.ts"
import { sessions } from "./users.tables.ts"

export const userRecord = (user: { id: string; name: string }): { record: UserFact["record"]; groupId: null } => ({
  record: { kind: "user", id: user.id, label: user.name },
  groupId: null,
})

export const actorRecord = (actor: UserActor) => userRecord({ id: actor.userId, name: actor.name })

/** Runs in the transaction of the change that requires it. */
export async function endSessions({ tx }: Pick<Cx, "tx">, userId: string): Promise<void> {
  await tx.run(sql`update users set session_epoch = session_epoch + 1 where id = ${userId}`)
}

/** A partial session can only complete its sign-in. */
export type StartedSession = { outcome: SessionStage; sessionId: string; cookies: string[] }
export type SignInResult = StartedSession | { outcome: "wrong" | "unconfirmed" | "disabled" | "elsewhere" }

/** Browsers receive a cookie, programs receive tokens. */
export interface SignInOptions {
  byProgram?: boolean
  hasGivenCode?: boolean
}

/**
 * Wrong address and wrong password take the same time. "unconfirmed" and "disabled" are only answered after a right
 * password.
 */
export async function signInWithPassword(
  cx: Cx,
  { email, password }: { email: string; password: string },
  headers: Headers | undefined,
  way: SignInOptions = {},
): Promise<SignInResult> {
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
 * Begins and records a session in the transaction of `cx`: a partial session if a second factor must be given or set
 * up. The caller sends the cookies after commit; a program's session has none.
 */
export async function beginSession(
  cx: Cx,
  userId: string,
  headers: Headers | undefined,
  { byProgram = false, hasGivenCode = false }: SignInOptions = {},
): Promise<SignInResult> {
  const { app, tx, now } = cx
  // Locked, so that no session begins while the account is being disabled.
  const account = await tx.row<{ epoch: number; disabledAt: string | null; hasSecondFactor: boolean }>(sql`
    select u.session_epoch as epoch, u.disabled_at as "disabledAt", ${hasSecondFactor} as "hasSecondFactor"
    from users u where u.id = ${userId} for no key update`)
  if (!account || account.disabledAt) return { outcome: "disabled" }
  const actor = await readActor(tx, userId)
  const settings = await readSettings(tx, usersSettings)
  if (!isAddressAllowed(headers, actor.role, settings)) {
    await record({ ...cx, actor }, [{ type: "SignInRefused", ...actorRecord(actor) }])
    return { outcome: "elsewhere" }
  }
  const stage = sessionStageOf(account.hasSecondFactor, hasGivenCode, mustHaveSecondFactor(actor.role, settings))
  const level = hasGivenCode ? "aal2" : "aal1"
  const { sessionId, token } = await insertSession(
    cx,
    { userId, epoch: account.epoch, stage, level: byProgram ? level : null },
    headers,
  )
  const cookies = byProgram ? [] : [createSessionCookie(app, token)]
  if (stage !== "signed_in") return { outcome: stage, sessionId, cookies }
  await tx.run(sql`update users set last_sign_in_at = ${now} where id = ${userId}`)
  const person = { id: userId, name: actor.name, email: actor.email }
  if (byProgram) await rememberProgram(cx, person, headers)
  else cookies.push(await rememberDevice(cx, person, headers))
  await record({ ...cx, actor }, [{ type: "UserSignedIn", ...actorRecord(actor), ...(byProgram && { byProgram }) }])
  return { outcome: stage, sessionId, cookies }
}

/** A program's session has a level, and is found by its id. */
export async function insertSession(
  { tx, now }: Pick<Cx, "tx" | "now">,
  session: { userId: string; epoch: number; stage: SessionStage | PartialSessionStage; level: Level | null },
  headers: Headers | undefined,
): Promise<{ sessionId: string; token: string }> {
  const sessionId = randomUUID()
  const token = session.level === null ? randomBytes(32).toString("base64url") : programSessionKeyOf(sessionId)
  await tx.insert(sessions).values({
    ...session,
    id: sessionId,
    token,
    startedAt: now,
    lastActiveAt: now,
    userAgent: headers?.get("user-agent")?.slice(0, 300) ?? null,
    provenAt: now,
    address: clientAddressOf(headers),
  })
  await tx.run(sql`delete from sessions where started_at < ${now.subtract({ hours: absoluteSessionHours })}`)
  return { sessionId, token }
}

function sessionStageOf(hasFactor: boolean, hasGivenCode: boolean, mustHaveFactor: boolean): SessionStage {
  if (hasFactor) return hasGivenCode ? "signed_in" : "second_factor"
  return mustHaveFactor ? "enrolment" : "signed_in"
}

/** Throws if the sign-in failed, to roll back its transaction. */
export function requireSession(answer: SignInResult): StartedSession {
  if ("cookies" in answer) return answer
  throw refused(refusalCodes[answer.outcome])
}

const refusalCodes = {
  wrong: "INVALID_CREDENTIALS",
  unconfirmed: "EMAIL_NOT_CONFIRMED",
  disabled: "ACCOUNT_DISABLED",
  elsewhere: "ADDRESS_NOT_ALLOWED",
}

export function sendSessionCookies(
  context: RequestContext,
  { outcome, cookies }: StartedSession,
): { stage: SessionStage } {
  for (const cookie of cookies) sendCookie(context, cookie)
  return { stage: outcome }
}

/** For calls that open their own transactions, so that counted attempts survive a refusal. */
export function inTransaction<C extends Omit<Cx, "tx">, T>(
  cx: C,
  work: (cx: C & Pick<Cx, "tx">) => Promise<T>,
): Promise<T> {
  return cx.app.database.transaction("auth", (tx) => work({ ...cx, tx }))
}

export function sendCookie(context: RequestContext, cookie: string): void {
  context.responseHeaders?.append("set-cookie", cookie)
}

/** For commands of any signed-in user. Refuses programs, which have no personal account. */
export function requireUser(cx: Pick<Cx, "actor">): UserActor {
  if (cx.actor.kind !== "user") throw refused("UNAUTHENTICATED")
  if (cx.actor.program) throw refused("FORBIDDEN", personOnlyMessage)
  return cx.actor
}

/** Removing the second factor lowers program sessions to the password level. */
export async function downgradeProgramSessions(tx: Tx, userId: string): Promise<void> {
  await tx.run(sql`update sessions set level = 'aal1' where user_id = ${userId} and level is not null`)
}
