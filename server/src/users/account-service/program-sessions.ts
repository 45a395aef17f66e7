import { createHash, randomBytes } from "node:crypto"
import { backgroundHeader } from "@milkwood/domain/platform/background"
import { judgeRefreshToken, type Level } from "@milkwood/domain/users/account-service"
import {
  isPartialSessionValid,
  type PartialSessionStage,
  type SessionStage,
} from "@milkwood/domain/users/second-factor"
import { isSessionValid } from "@milkwood/domain/users/session"
import { usersSettings } from "@milkwood/domain/users/users-settings"
import { sql } from "drizzle-orm"
import type { App } from "../../platform/app.ts"
import { type CallCx, type Cx, refused } from "../../platform/calls/commands.ts"
import { keyedHash } from "../../platform/secrets.ts"
import { readSettings } from "../../platform/settings/store.ts"
import { record } from "../../platform/trail/facts.ts"
import { clientAddressOf, isAddressAllowed } from "../allowed-addresses.ts"
import { bearerTokenOf } from "../session-key.ts"
import { actorRecord, inTransaction } from "../sessions.ts"
import { readActor } from "../users.queries.ts"
import { createAccessToken, type TokenSigner } from "./access-tokens.ts"
import { type Account, readAccount } from "./account.queries.ts"
import { invalidTokenProblem, Problem, sessionMissingProblem } from "./problems.ts"
import { signingKey } from "./signing-keys.ts"

export type ProgramCx = Omit<CallCx<unknown>, "tx">
export type ProgramWork = ProgramCx & Pick<Cx, "tx">

export interface Tokens {
  access_token: string
  token_type: "bearer"
  expires_in: number
  expires_at: number
  refresh_token: string
  user: Account
}

export interface ProgramSession {
  id: string
  userId: string
  stage: SessionStage | PartialSessionStage
  level: Level
  startedAt: string
  lastActiveAt: string
  provenAt: string
}

const sessionColumns = sql`
  s.id, s.user_id as "userId", s.stage, s.level, s.started_at as "startedAt", s.last_active_at as "lastActiveAt",
  s.proven_at as "provenAt"`
const hashOf = (token: string) => createHash("sha256").update(token).digest("hex")

/** The next refresh token: equal for an idempotent retry, and not derivable without the installation's key. */
const successorTokenOf = (app: App, token: string) => keyedHash(app, "refresh token", token)

/** Locks and returns the session of the request, also a partial session that has not expired. */
export async function lockRequestSession({ tx, now, context }: ProgramWork): Promise<ProgramSession> {
  const { headers, sessionKey, actor } = context
  if (!headers || bearerTokenOf(headers) === undefined) throw sessionMissingProblem()
  if (!sessionKey) throw invalidTokenProblem()
  const found = await tx.row<ProgramSession>(sql`
    select ${sessionColumns} from sessions s join users u on u.id = s.user_id
    where s.token = ${sessionKey} and s.level is not null and s.epoch = u.session_epoch and u.disabled_at is null
    for no key update of s`)
  if (!found) throw sessionMissingProblem()
  if (found.stage === "signed_in") {
    // The actor of the request has already been checked for timeout and address.
    const isAsked = actor?.kind === "user" && typeof actor.session === "object" && actor.session.id === found.id
    if (!isAsked) throw sessionMissingProblem()
  } else if (!isPartialSessionValid(found.stage, Temporal.Instant.from(found.startedAt), now))
    throw sessionMissingProblem()
  return found
}

export const withSession = <T>(
  cx: ProgramCx,
  work: (work: ProgramWork, session: ProgramSession) => Promise<T>,
): Promise<T> => inTransaction(cx, async (own) => work(own, await lockRequestSession(own)))

export const levelNeededProblem = (message = "AAL2 session is required: verify a second factor first") =>
  new Problem(403, "insufficient_aal", message)

/** @param signer `signingKey`, fetched before the transaction */
export async function issueTokens(
  { app, tx, now }: Pick<Cx, "app" | "tx" | "now">,
  signer: TokenSigner,
  sessionId: string,
  refreshToken = randomBytes(32).toString("base64url"),
): Promise<Tokens> {
  const session = (await tx.row<ProgramSession>(
    sql`select ${sessionColumns} from sessions s where s.id = ${sessionId}`,
  ))!
  const { userId, level, stage, startedAt, provenAt } = session
  const user = await readAccount({ tx, now }, userId)
  await tx.run(sql`
    insert into refresh_tokens (hash, session_id, created_at) values (${hashOf(refreshToken)}, ${sessionId}, ${now})
    on conflict do nothing`)
  const at = (instant: string) => Math.floor(Temporal.Instant.from(instant).epochMilliseconds / 1_000)
  const methods = [{ method: stage === "recovery" ? "otp" : "password", timestamp: at(startedAt) }]
  if (level === "aal2") methods.push({ method: "totp", timestamp: at(provenAt) })
  const { token, expiresAt } = await createAccessToken(app, signer, {
    userId,
    sessionId,
    email: user.email,
    level,
    methods,
  })
  return {
    access_token: token,
    token_type: "bearer",
    expires_in: expiresAt - Math.floor(now.epochMilliseconds / 1_000),
    expires_at: expiresAt,
    refresh_token: refreshToken,
    user,
  }
}

type RefreshResult = Tokens | "unknown" | "ended" | "elsewhere" | "reused"

/** A refresh token works once. Reuse ends the session and is recorded. */
export async function refreshTokens(cx: ProgramCx, given: string): Promise<Tokens> {
  const signer = await signingKey(cx.app)
  const answer = await inTransaction(cx, (work) => refreshInTransaction(work, signer, given))
  if (typeof answer === "object") return answer
  if (answer === "ended") throw sessionMissingProblem()
  if (answer === "elsewhere") throw refused("ADDRESS_NOT_ALLOWED")
  const isReused = answer === "reused"
  throw new Problem(
    400,
    isReused ? "refresh_token_already_used" : "refresh_token_not_found",
    `Invalid Refresh Token: ${isReused ? "Already Used" : "Refresh Token Not Found"}`,
  )
}

async function refreshInTransaction(work: ProgramWork, signer: TokenSigner, given: string): Promise<RefreshResult> {
  const { app, tx, now, context } = work
  const hash = hashOf(given)
  // Locks the session first: the second of two concurrent calls with one token sees the result of the first.
  const session = await tx.row<ProgramSession>(sql`
    select ${sessionColumns} from sessions s
    where s.id = (select session_id from refresh_tokens where hash = ${hash}) for update`)
  const successor = successorTokenOf(app, given)
  const token =
    session &&
    (await tx.row<{ usedAt: string | null; isSuccessorUsed: boolean }>(sql`
      select used_at as "usedAt",
        exists (select from refresh_tokens n where n.hash = ${hashOf(successor)} and n.used_at is not null) as "isSuccessorUsed"
      from refresh_tokens where hash = ${hash}`))
  if (!session || !token) return "unknown"
  const actor = await readActor(tx, session.userId)
  const usedAt = token.usedAt === null ? null : Temporal.Instant.from(token.usedAt)
  const isReused = judgeRefreshToken({ ...token, usedAt }, now) === "reused"
  if (isReused || !(await isSessionStillValid(work, session))) {
    await tx.run(sql`delete from sessions where id = ${session.id}`)
    if (!isReused) return "ended"
    await record({ ...work, actor }, [{ type: "RefreshTokenReused", ...actorRecord(actor) }])
    return "reused"
  }
  if (!isAddressAllowed(context.headers, actor.role, await readSettings(tx, usersSettings))) return "elsewhere"
  await tx.run(sql`update refresh_tokens set used_at = coalesce(used_at, ${now}) where hash = ${hash}`)
  if (context.headers?.get(backgroundHeader) !== "1")
    await tx.run(sql`
      update sessions set last_active_at = ${now}, address = ${clientAddressOf(context.headers)} where id = ${session.id}`)
  return issueTokens(work, signer, session.id, successor)
}

async function isSessionStillValid({ tx, now }: ProgramWork, session: ProgramSession): Promise<boolean> {
  const account = await tx.row(sql`
    select from users u join sessions s on s.user_id = u.id
    where s.id = ${session.id} and s.epoch = u.session_epoch and u.disabled_at is null`)
  if (!account) return false
  const startedAt = Temporal.Instant.from(session.startedAt)
  if (session.stage !== "signed_in") return isPartialSessionValid(session.stage, startedAt, now)
  const { sessionTimeoutMinutes } = await readSettings(tx, usersSettings)
  return isSessionValid(
    { startedAt, lastActiveAt: Temporal.Instant.from(session.lastActiveAt) },
    now,
    sessionTimeoutMinutes,
  )
}
