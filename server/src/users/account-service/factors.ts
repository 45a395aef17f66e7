import { randomUUID } from "node:crypto"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { challengeSeconds, isChallengeValid } from "@milkwood/domain/users/account-service"
import type { bodies } from "@milkwood/domain/users/account-service-shape"
import { sql } from "drizzle-orm"
import { renderSVG } from "uqr"
import type { z } from "zod"
import { refused } from "../../platform/calls/commands.ts"
import { expectProof } from "../../platform/calls/proof.ts"
import { readSettings } from "../../platform/settings/store.ts"
import { record } from "../../platform/trail/facts.ts"
import { queueAccountChangeMail } from "../account-mails.ts"
import { admitPassword, markAttemptSucceeded } from "../attempts.ts"
import { codeAttemptOf, consumeCode, createSecret } from "../codes.ts"
import { actorRecord, beginSession, downgradeProgramSessions, requireSession } from "../sessions.ts"
import { readActor } from "../users.queries.ts"
import { readFactorsOf } from "./account.queries.ts"
import { Problem } from "./problems.ts"
import {
  issueTokens,
  levelNeededProblem,
  type ProgramCx,
  type ProgramSession,
  type ProgramWork,
  type Tokens,
  withSession,
} from "./program-sessions.ts"
import { signingKey } from "./signing-keys.ts"

type Body<Name extends keyof typeof bodies> = z.output<(typeof bodies)[Name]>

/** Runs work on the factor of the session's own account. Refuses sessions from a link. */
const inFullSession = <T>(
  cx: ProgramCx,
  work: (work: ProgramWork, session: ProgramSession) => Promise<T>,
): Promise<T> =>
  withSession(cx, (own, session) => {
    if (session.stage === "recovery") throw levelNeededProblem("Set the new password, and sign in with it")
    return work(own, session)
  })

async function readFactor({ tx }: ProgramWork, { userId }: ProgramSession, id: string) {
  const factor = (await readFactorsOf(tx, userId)).find((own) => own.id === id)
  if (!factor) throw new Problem(404, "mfa_factor_not_found", "MFA factor not found")
  return factor
}

/**
 * Starts the set-up of the account's only second factor; inactive before its first code. Requires a proof of the last
 * ten minutes or a mandatory set-up.
 */
export const enrolFactor = (cx: ProgramCx, { factor_type: type, friendly_name: name }: Body<"enrol">) => {
  if (type !== "totp") {
    const known = ["phone", "webauthn"].includes(type)
    throw known
      ? new Problem(422, `mfa_${type}_enroll_not_enabled`, `MFA enroll is disabled for ${type}`)
      : new Problem(400, "validation_failed", "factor_type needs to be totp")
  }
  return inFullSession(cx, async (work, session) => {
    const { tx, context, now } = work
    if (session.stage === "second_factor") throw levelNeededProblem()
    if (session.stage === "signed_in") expectProof({ actor: context.actor!, now })
    const { organisation } = await readSettings(tx, { organisation: platformSettings.organisation })
    const made = await createSecret(work, await readActor(tx, session.userId), organisation.name, name || null)
    if (!made)
      throw new Problem(
        422,
        "too_many_enrolled_mfa_factors",
        "Maximum number of verified factors reached, unenroll to continue",
      )
    const { id, secret, address } = made
    const totp = { qr_code: renderSVG(address), secret, uri: address }
    return { id, type: "totp", ...(name && { friendly_name: name }), totp }
  })
}

/** Creates a challenge. Only a session's last challenge counts, once, for five minutes. */
export const challengeFactor = (cx: ProgramCx, factorId: string) =>
  inFullSession(cx, async (work, session) => {
    await readFactor(work, session, factorId)
    const id = randomUUID()
    await work.tx.run(sql`update sessions set challenge = ${id}, challenged_at = ${work.now} where id = ${session.id}`)
    const expiresAt = Math.floor(work.now.epochMilliseconds / 1_000) + challengeSeconds
    return { id, type: "totp", expires_at: expiresAt }
  })

/**
 * Checks the code of a challenge, under the limits for codes. The first code activates the factor. A partial session is
 * replaced by a full one; a full session becomes aal2.
 */
export async function verifyFactor(cx: ProgramCx, factorId: string, input: Body<"verifyFactor">): Promise<Tokens> {
  const { app, now } = cx
  const { userId } = await inFullSession(cx, async (work, session) => {
    await checkChallenge(work, session, factorId, input.challenge_id)
    return session
  })
  const attemptId = await admitPassword(app, codeAttemptOf(app, userId))
  const signer = await signingKey(app)
  const answer = await inFullSession(cx, async (work, session) => {
    const { status } = await checkChallenge(work, session, factorId, input.challenge_id)
    const isNew = status === "unverified"
    const taken = await consumeCode(work, userId, input.code, isNew ? "unconfirmed" : "confirmed")
    if (!taken) return undefined
    await markAttemptSucceeded(work.tx, attemptId, now)
    if (isNew || taken === "recovery") await notifyFactorChange(work, userId, isNew ? "new" : "recovery")
    return issueTokens(work, signer, await raiseSession(work, session))
  })
  // Outside the transaction, so that the failed attempt stays counted.
  if (!answer) throw refused("WRONG_CODE", "Invalid TOTP code entered")
  return answer
}

async function checkChallenge(work: ProgramWork, session: ProgramSession, factorId: string, challengeId: string) {
  const factor = await readFactor(work, session, factorId)
  const asked = await work.tx.row<{ at: string }>(sql`
    select challenged_at as at from sessions where id = ${session.id} and challenge = ${challengeId}`)
  if (!asked) throw new Problem(404, "mfa_factor_not_found", "MFA factor with the provided challenge ID not found")
  if (!isChallengeValid(Temporal.Instant.from(asked.at), work.now))
    throw new Problem(422, "mfa_challenge_expired", `MFA challenge ${challengeId} has expired, create a new challenge`)
  return factor
}

/** The session after a code. A partial session and its tokens are deleted. */
async function raiseSession(work: ProgramWork, { id, userId, stage }: ProgramSession): Promise<string> {
  const { tx, now, context } = work
  if (stage === "signed_in") {
    await tx.run(sql`
      update sessions set level = 'aal2', proven_at = ${now}, challenge = null, challenged_at = null where id = ${id}`)
    return id
  }
  await tx.run(sql`delete from sessions where id = ${id}`)
  const way = { byProgram: true, hasGivenCode: true }
  return requireSession(await beginSession(work, userId, context.headers, way)).sessionId
}

/**
 * Removes the caller's second factor after a code of the last ten minutes. Program sessions become aal1. An unverified
 * factor can be removed without a code.
 */
export const removeFactor = (cx: ProgramCx, factorId: string) =>
  inFullSession(cx, async (work, session) => {
    const { tx, context, now } = work
    const { status } = await readFactor(work, session, factorId)
    const { userId } = session
    if (status === "verified") {
      if (session.stage !== "signed_in" || session.level !== "aal2") throw levelNeededProblem()
      expectProof({ actor: context.actor!, now })
    }
    // Does not remove a factor that was verified in the meantime.
    const removed = await tx.run(sql`
      delete from second_factors where user_id = ${userId} and id = ${factorId}
        and (confirmed_at is not null) = ${status === "verified"}`)
    if (removed === 0) throw new Problem(404, "mfa_factor_not_found", "MFA factor not found")
    if (status === "verified") {
      await downgradeProgramSessions(tx, userId)
      await notifyFactorChange(work, userId, "removed")
    }
    return { id: factorId }
  })

const factorNotices = {
  new: ["SecondFactorSetUp", "Your account has a second factor", "A second factor was set up for your account."],
  removed: ["SecondFactorRemoved", "Your second factor was removed", "The second factor of your account was removed."],
  recovery: [
    "RecoveryCodeUsed",
    "A recovery code was used",
    "A recovery code was used in place of your second factor.",
  ],
} as const

/** Records the user as the actor, and mails them. */
async function notifyFactorChange(work: ProgramWork, userId: string, what: keyof typeof factorNotices): Promise<void> {
  const actor = await readActor(work.tx, userId)
  const [type, subject, text] = factorNotices[what]
  const about = actorRecord(actor)
  await record({ ...work, actor }, [
    type === "SecondFactorRemoved" ? { type, ...about, own: true } : { type, ...about },
  ])
  await queueAccountChangeMail(work, { id: userId, name: actor.name, email: actor.email }, subject, text)
}
