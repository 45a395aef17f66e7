import { randomUUID } from "node:crypto"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { challengeHolds, challengeSeconds } from "@milkwood/domain/users/account-service"
import type { bodies } from "@milkwood/domain/users/account-service-shape"
import { sql } from "drizzle-orm"
import { renderSVG } from "uqr"
import type { z } from "zod"
import { refused } from "../../platform/calls/commands.ts"
import { expectProof } from "../../platform/calls/proof.ts"
import { readSettings } from "../../platform/settings/store.ts"
import { record } from "../../platform/trail/facts.ts"
import { mailAccountChange } from "../account-mails.ts"
import { admitPassword, succeeded } from "../attempts.ts"
import { codeAttemptOf, newSecret, takeCode } from "../codes.ts"
import { aboutActor, beginSession, downgradeProgramSessions, sessionOrRefusal } from "../sessions.ts"
import { actorOf } from "../users.queries.ts"
import { factorsOf } from "./account.queries.ts"
import { Problem } from "./problems.ts"
import {
  inSession,
  issueTokens,
  levelNeeded,
  type OwnCx,
  type OwnWork,
  type ProgramSession,
  type Tokens,
} from "./program-sessions.ts"
import { signingKey } from "./signing-keys.ts"

type Body<Name extends keyof typeof bodies> = z.output<(typeof bodies)[Name]>

/** Runs in a session about its own account's factor. Sessions from a link are refused. */
const about = <T>(cx: OwnCx, work: (work: OwnWork, session: ProgramSession) => Promise<T>): Promise<T> =>
  inSession(cx, (own, session) => {
    if (session.stage === "recovery") throw levelNeeded("Set the new password, and sign in with it")
    return work(own, session)
  })

async function factorOf({ tx }: OwnWork, { userId }: ProgramSession, id: string) {
  const factor = (await factorsOf(tx, userId)).find((own) => own.id === id)
  if (!factor) throw new Problem(404, "mfa_factor_not_found", "MFA factor not found")
  return factor
}

/**
 * Starts the set-up of the account's only second factor; inactive before its first code. Requires a proof of the last
 * ten minutes or a mandatory set-up.
 */
export const enrol = (cx: OwnCx, { factor_type: type, friendly_name: name }: Body<"enrol">) => {
  if (type !== "totp") {
    const known = ["phone", "webauthn"].includes(type)
    throw known
      ? new Problem(422, `mfa_${type}_enroll_not_enabled`, `MFA enroll is disabled for ${type}`)
      : new Problem(400, "validation_failed", "factor_type needs to be totp")
  }
  return about(cx, async (work, session) => {
    const { tx, context, now } = work
    if (session.stage === "second_factor") throw levelNeeded()
    if (session.stage === "signed_in") expectProof({ actor: context.actor!, now })
    const { organisation } = await readSettings(tx, { organisation: platformSettings.organisation })
    const made = await newSecret(work, await actorOf(tx, session.userId), organisation.name, name || null)
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
export const challenge = (cx: OwnCx, factorId: string) =>
  about(cx, async (work, session) => {
    await factorOf(work, session, factorId)
    const id = randomUUID()
    await work.tx.run(sql`update sessions set challenge = ${id}, challenged_at = ${work.now} where id = ${session.id}`)
    const expiresAt = Math.floor(work.now.epochMilliseconds / 1_000) + challengeSeconds
    return { id, type: "totp", expires_at: expiresAt }
  })

/**
 * Checks the code of a challenge, under the limits for codes. The first code activates the factor. A half session is
 * replaced by a full one; a full session becomes aal2.
 */
export async function verifyFactor(cx: OwnCx, factorId: string, input: Body<"verifyFactor">): Promise<Tokens> {
  const { app, now } = cx
  const { userId } = await about(cx, async (work, session) => {
    await checkChallenge(work, session, factorId, input.challenge_id)
    return session
  })
  const attemptId = await admitPassword(app, codeAttemptOf(app, userId))
  const signer = await signingKey(app)
  const answer = await about(cx, async (work, session) => {
    const { status } = await checkChallenge(work, session, factorId, input.challenge_id)
    const isNew = status === "unverified"
    const taken = await takeCode(work, userId, input.code, isNew ? "unconfirmed" : "confirmed")
    if (!taken) return undefined
    await succeeded(work.tx, attemptId, now)
    if (isNew || taken === "recovery") await tell(work, userId, isNew ? "new" : "recovery")
    return issueTokens(work, signer, await raised(work, session))
  })
  // Outside the transaction, so that the failed attempt stays counted.
  if (!answer) throw refused("WRONG_CODE", "Invalid TOTP code entered")
  return answer
}

async function checkChallenge(work: OwnWork, session: ProgramSession, factorId: string, challengeId: string) {
  const factor = await factorOf(work, session, factorId)
  const asked = await work.tx.row<{ at: string }>(sql`
    select challenged_at as at from sessions where id = ${session.id} and challenge = ${challengeId}`)
  if (!asked) throw new Problem(404, "mfa_factor_not_found", "MFA factor with the provided challenge ID not found")
  if (!challengeHolds(Temporal.Instant.from(asked.at), work.now))
    throw new Problem(422, "mfa_challenge_expired", `MFA challenge ${challengeId} has expired, create a new challenge`)
  return factor
}

/** The session after a code. A half session and its tokens are deleted. */
async function raised(work: OwnWork, { id, userId, stage }: ProgramSession): Promise<string> {
  const { tx, now, context } = work
  if (stage === "signed_in") {
    await tx.run(sql`
      update sessions set level = 'aal2', proven_at = ${now}, challenge = null, challenged_at = null where id = ${id}`)
    return id
  }
  await tx.run(sql`delete from sessions where id = ${id}`)
  const way = { byProgram: true, hasGivenCode: true }
  return sessionOrRefusal(await beginSession(work, userId, context.headers, way)).sessionId
}

/**
 * Removes the caller's second factor after a code of the last ten minutes. Program sessions drop to password assurance.
 * An unverified factor can be removed without a code.
 */
export const removeFactor = (cx: OwnCx, factorId: string) =>
  about(cx, async (work, session) => {
    const { tx, context, now } = work
    const { status } = await factorOf(work, session, factorId)
    const { userId } = session
    if (status === "verified") {
      if (session.stage !== "signed_in" || session.level !== "aal2") throw levelNeeded()
      expectProof({ actor: context.actor!, now })
    }
    // Does not remove a factor that was verified in the meantime.
    const removed = await tx.run(sql`
      delete from second_factors where user_id = ${userId} and id = ${factorId}
        and (confirmed_at is not null) = ${status === "verified"}`)
    if (removed === 0) throw new Problem(404, "mfa_factor_not_found", "MFA factor not found")
    if (status === "verified") {
      await downgradeProgramSessions(tx, userId)
      await tell(work, userId, "removed")
    }
    return { id: factorId }
  })

const told = {
  new: ["SecondFactorSetUp", "Your account has a second factor", "A second factor was set up for your account."],
  removed: ["SecondFactorRemoved", "Your second factor was removed", "The second factor of your account was removed."],
  recovery: [
    "RecoveryCodeUsed",
    "A recovery code was used",
    "A recovery code was used in place of your second factor.",
  ],
} as const

/** Records the user as the actor, and mails them. */
async function tell(work: OwnWork, userId: string, what: keyof typeof told): Promise<void> {
  const actor = await actorOf(work.tx, userId)
  const [type, subject, text] = told[what]
  const about = aboutActor(actor)
  await record({ ...work, actor }, [
    type === "SecondFactorRemoved" ? { type, ...about, own: true } : { type, ...about },
  ])
  await mailAccountChange(work, { id: userId, name: actor.name, email: actor.email }, subject, text)
}
