import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import {
  formatRecoveryCode,
  isPartialSessionValid,
  mustHaveSecondFactor,
  type PartialSessionStage,
} from "@milkwood/domain/users/second-factor"
import { usersContract } from "@milkwood/domain/users/users.contract"
import { usersSettings } from "@milkwood/domain/users/users-settings"
import { sql } from "drizzle-orm"
import type { UserActor } from "../platform/calls/actor.ts"
import { type CallCx, type Cx, multiTransactionProcedure, query, refused } from "../platform/calls/commands.ts"
import { expectProof } from "../platform/calls/proof.ts"
import { readSettings } from "../platform/settings/store.ts"
import { record } from "../platform/trail/facts.ts"
import { queueAccountChangeMail } from "./account-mails.ts"
import { admitPassword, markAttemptSucceeded, ownSignInAttemptOf } from "./attempts.ts"
import { codeAttemptOf, consumeCode, createRecoveryCodes, createSecret } from "./codes.ts"
import { isCurrentPassword } from "./passwords.ts"
import { readSessionToken } from "./session-cookie.ts"
import {
  actorRecord,
  beginSession,
  downgradeProgramSessions,
  inTransaction,
  requireSession,
  requireUser,
  sendSessionCookies,
} from "./sessions.ts"
import { readActor } from "./users.queries.ts"

const secondFactor = usersContract.secondFactor

export const secondFactorState = query(
  secondFactor.state,
  async (cx) => {
    const actor = requireUser(cx)
    const found = await cx.tx.row<{ since: string; recoveryCodesLeft: number }>(sql`
      select f.confirmed_at as since,
        (select count(*) from recovery_codes c where c.user_id = f.user_id and c.used_at is null) as "recoveryCodesLeft"
      from second_factors f where f.user_id = ${actor.userId} and f.confirmed_at is not null`)
    const isRequired = mustHaveSecondFactor(actor.role, await readSettings(cx.tx, usersSettings))
    return { since: null, recoveryCodesLeft: 0, ...found, isRequired }
  },
  { as: "auth" },
)

type AccountCx = Omit<CallCx<unknown>, "tx">
type AccountWork = AccountCx & Pick<Cx, "tx">

/** Locks and returns the partial session of a user who has given the password. Undefined if it has expired. */
async function lockPartialSession({ app, tx, now, context }: AccountWork, stage: PartialSessionStage) {
  const token = context.headers && readSessionToken(app, context.headers)
  if (!token) return undefined
  const found = await tx.row<{ sessionId: string; userId: string; startedAt: string }>(sql`
    select s.id as "sessionId", s.user_id as "userId", s.started_at as "startedAt"
    from sessions s join users u on u.id = s.user_id
    where s.token = ${token} and s.stage = ${stage} and s.epoch = u.session_epoch and u.disabled_at is null
    for update of s`)
  return found && isPartialSessionValid(stage, Temporal.Instant.from(found.startedAt), now) ? found : undefined
}

const signInAgainError = () => refused("UNAUTHENTICATED", "That took too long. Please sign in again.")

/** The full session gets a new token. */
async function beginFullSession(work: AccountWork, half: { sessionId: string; userId: string }) {
  await work.tx.run(sql`delete from sessions where id = ${half.sessionId}`)
  return requireSession(await beginSession(work, half.userId, work.context.headers, { hasGivenCode: true }))
}

/** Counts the attempt first, so that a wrong code still counts. */
export const verifySecondFactor = multiTransactionProcedure(secondFactor.verify, async (cx) => {
  const { app, now, input, context } = cx
  const asked = await inTransaction(cx, (work) => lockPartialSession(work, "second_factor"))
  if (!asked) throw signInAgainError()
  const attemptId = await admitPassword(app, codeAttemptOf(app, asked.userId))
  const begun = await inTransaction(cx, async (work) => {
    const half = await lockPartialSession(work, "second_factor")
    if (!half) throw signInAgainError()
    const taken = await consumeCode(work, half.userId, input.code)
    if (!taken) return undefined
    await markAttemptSucceeded(work.tx, attemptId, now)
    if (taken === "recovery") await notifyRecoveryCodeUsed(work, await readActor(work.tx, half.userId))
    return beginFullSession(work, half)
  })
  if (!begun) throw refused("WRONG_CODE")
  sendSessionCookies(context, begun)
  return {}
})

async function notifyRecoveryCodeUsed(work: AccountWork, actor: UserActor): Promise<void> {
  await record({ ...work, actor }, [{ type: "RecoveryCodeUsed", ...actorRecord(actor) }])
  await notifyFactorChange(
    work,
    actor,
    "A recovery code was used",
    "A recovery code was used in place of your second factor.",
  )
}

const notifyFactorChange = (work: AccountWork, { userId: id, name, email }: UserActor, subject: string, what: string) =>
  queueAccountChangeMail(work, { id, name, email }, subject, what)

/** A signed-in user, or one who must enrol before signing in. */
async function readEnrollingActor(work: AccountWork) {
  if (work.actor.kind === "user") return { actor: requireUser(work), half: undefined }
  const half = await lockPartialSession(work, "enrolment")
  if (!half) throw signInAgainError()
  return { actor: await readActor(work.tx, half.userId), half }
}

/** A signed-in user must confirm their identity first: someone at their desk could otherwise lock them out. */
export const beginSecondFactor = multiTransactionProcedure(secondFactor.begin, async (cx) =>
  inTransaction(cx, async (work) => {
    const { actor, half } = await readEnrollingActor(work)
    if (!half) expectProof({ actor, now: work.now })
    const { organisation } = await readSettings(work.tx, { organisation: platformSettings.organisation })
    const made = await createSecret(work, actor, organisation.name)
    if (!made) throw refused("HAS_SECOND_FACTOR")
    return made
  }),
)

/** The first code activates the second factor, and signs in a user who had to enrol. */
export const confirmSecondFactor = multiTransactionProcedure(secondFactor.confirm, async (cx) => {
  const { app, now, input, context } = cx
  const { actor: asks } = await inTransaction(cx, readEnrollingActor)
  const attemptId = await admitPassword(app, codeAttemptOf(app, asks.userId))
  const done = await inTransaction(cx, async (work) => {
    const { actor, half } = await readEnrollingActor(work)
    if (!(await hasStoredSecret(work, actor, "unconfirmed")))
      throw refused("NO_SECOND_FACTOR", "Start the set-up again.")
    if (!(await consumeCode(work, actor.userId, input.code, "unconfirmed"))) return undefined
    await markAttemptSucceeded(work.tx, attemptId, now)
    const codes = await createRecoveryCodes(work, actor.userId)
    await record({ ...work, actor }, [{ type: "SecondFactorSetUp", ...actorRecord(actor) }])
    await notifyFactorChange(
      work,
      actor,
      "Your account has a second factor",
      "A second factor was set up for your account.",
    )
    return { codes, begun: half && (await beginFullSession(work, half)) }
  })
  if (!done) throw refused("WRONG_CODE")
  if (done.begun) sendSessionCookies(context, done.begun)
  return { recoveryCodes: done.codes.map(formatRecoveryCode) }
})

const hasStoredSecret = ({ tx }: AccountWork, { userId }: UserActor, of: "confirmed" | "unconfirmed") =>
  tx.row(sql`
    select from second_factors where user_id = ${userId} and (confirmed_at is not null) = ${of === "confirmed"}`)

export const renewRecoveryCodes = multiTransactionProcedure(secondFactor.renewCodes, async (cx) => {
  const { app, now, input } = cx
  const actor = requireUser(cx)
  const attemptId = await admitPassword(app, codeAttemptOf(app, actor.userId))
  const codes = await inTransaction(cx, async (work) => {
    if (!(await hasStoredSecret(work, actor, "confirmed"))) throw refused("NO_SECOND_FACTOR")
    if ((await consumeCode(work, actor.userId, input.code)) !== "app") throw refused("WRONG_CODE")
    await markAttemptSucceeded(work.tx, attemptId, now)
    await record(work, [{ type: "RecoveryCodesRenewed", ...actorRecord(actor) }])
    return createRecoveryCodes(work, actor.userId)
  })
  return { recoveryCodes: codes.map(formatRecoveryCode) }
})

/** Password and code have separate attempt limits. */
export const removeSecondFactor = multiTransactionProcedure(secondFactor.remove, async (cx) => {
  const { app, now, input } = cx
  const actor = requireUser(cx)
  const attempts = [
    await admitPassword(app, ownSignInAttemptOf(app, actor.email)),
    await admitPassword(app, codeAttemptOf(app, actor.userId)),
  ]
  await inTransaction(cx, async (work) => {
    if (!(await hasStoredSecret(work, actor, "confirmed"))) throw refused("NO_SECOND_FACTOR")
    if (!(await isCurrentPassword(work, actor.userId, input.password))) throw refused("WRONG_PASSWORD")
    if (!(await consumeCode(work, actor.userId, input.code))) throw refused("WRONG_CODE")
    for (const attemptId of attempts) await markAttemptSucceeded(work.tx, attemptId, now)
    await work.tx.run(sql`delete from second_factors where user_id = ${actor.userId}`)
    await downgradeProgramSessions(work.tx, actor.userId)
    await record(work, [{ type: "SecondFactorRemoved", ...actorRecord(actor), own: true }])
    await notifyFactorChange(
      work,
      actor,
      "Your second factor was removed",
      "The second factor of your account was removed.",
    )
  })
  return {}
})
