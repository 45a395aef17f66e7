import { createHmac } from "node:crypto"
import { isIPv6 } from "node:net"
import { setTimeout } from "node:timers/promises"
import {
  checkMailRequest,
  type Failures,
  type MailRequestCounts,
  requestLimits,
  signInLimits,
  signInWaitSeconds,
} from "@milkwood/domain/users/sign-in-limits"
import { sql } from "drizzle-orm"
import type { App } from "../platform/app.ts"
import { refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { holdLock } from "../platform/database/locks.ts"
import { cookieSecretOf } from "./session-cookie.ts"

/** Days after a sign-in during which the address counts as known to the account. */
const attemptRetentionDays = 30

/** E-mail address as typed and network address, both hashed. */
export interface Attempt {
  subject: string
  address: string
}

/** Hashes the e-mail address with the installation's key, whether or not it has an account. */
export function signInAttemptOf(app: App, headers: Headers | undefined, email: string): Attempt {
  warnOfProxy(app, headers)
  return { subject: subjectHashOf(app, email), address: networkOf(headers) }
}

/** A signed-in user's attempt to repeat their own password; counted apart from anonymous attempts. */
export function ownSignInAttemptOf(app: App, email: string): Attempt {
  return { subject: subjectHashOf(app, `own ${email}`), address: "signed in" }
}

const subjectHashOf = (app: App, text: string): string =>
  createHmac("sha256", cookieSecretOf(app)).update(`subject ${text.toLowerCase()}`).digest("hex")

const warnedApps = new WeakSet<App>()

/** Warns of a proxy that PUBLIC_URL does not describe: all its callers share one address and one count. */
function warnOfProxy(app: App, headers: Headers | undefined): void {
  if (app.publicUrl.startsWith("https:") || !headers?.has("x-forwarded-for") || warnedApps.has(app)) return
  warnedApps.add(app)
  app.log.warn("requests come through a proxy, but PUBLIC_URL is not https: all users share one sign-in limit")
}

/** The caller's network: one IPv4 address, or a /64 of IPv6, which is one household. */
export function networkOf(headers: Headers | undefined): string {
  const address = headers?.get("x-client-address") ?? "in process"
  if (!isIPv6(address) || address.startsWith("::ffff:")) return address.replace(/^::ffff:/, "")
  const [head = "", tail] = address.split("::")
  const groups = head.split(":").filter(Boolean)
  const rest = (tail ?? "").split(":").filter(Boolean)
  while (tail !== undefined && groups.length + rest.length < 8) groups.push("0")
  return `${[...groups, ...rest].slice(0, 4).join(":")}::/64`
}

/**
 * Counts an attempt as a failure before the password is checked, so that parallel attempts cannot exceed the limit.
 * `succeeded` reverses this. At the limit, throws TOO_MANY with the time to wait; a refused attempt does not extend it.
 */
export async function admitPassword(app: App, attempt: Attempt): Promise<number> {
  const now = app.clock.now()
  const since = now.subtract({ minutes: signInLimits.windowMinutes })
  return app.database.transaction("auth", async (tx) => {
    await lockAttempts(tx, attempt)
    const failures = await tx.row<Failures>(sql`
      with own as (
        select max(at) as at from sign_in_attempts
        where kind = 'password' and subject = ${attempt.subject} and address = ${attempt.address} and succeeded),
      failed as (
        select * from sign_in_attempts where kind = 'password' and not succeeded and at > ${since}
          and (subject = ${attempt.subject} or address = ${attempt.address})),
      known as (
        select distinct address from sign_in_attempts
        where kind = 'password' and subject = ${attempt.subject} and succeeded
          and at > ${now.subtract({ hours: attemptRetentionDays * 24 })})
      select
        (select count(*) from failed, own where subject = ${attempt.subject} and address = ${attempt.address}
          and (own.at is null or failed.at > own.at)) as "ofAccountFromAddress",
        (select count(*) from failed where address = ${attempt.address}) as "ofAddress",
        (select count(*) from failed where subject = ${attempt.subject}
          and address not in (select address from known)) as "accountFailuresFromUnknown",
        exists (select from known where address = ${attempt.address}) as "addressIsKnown",
        (select extract(epoch from ${now}::timestamptz - max(at))::float8 from failed) as "secondsSinceLast"`)
    const seconds = signInWaitSeconds(failures!)
    if (seconds > 0) throw tooManyAttempts(seconds)
    return insertAttempt(tx, "password", attempt, now)
  })
}

/** Marks an attempt as successful and deletes expired ones. */
export async function markAttemptSucceeded(tx: Tx, attemptId: number, now: Temporal.Instant): Promise<void> {
  await tx.run(sql`update sign_in_attempts set succeeded = true where id = ${attemptId}`)
  await tx.run(sql`delete from sign_in_attempts where at < ${now.subtract({ hours: attemptRetentionDays * 24 })}`)
}

/**
 * Counts a request that sends mail or creates an account. Returns false if the e-mail address has had too many mails;
 * the caller then silently skips the mail. TOO_MANY slows a network address over its limit, except for accounts known
 * there.
 */
export async function admitRequest(app: App, attempt: Attempt): Promise<boolean> {
  const now = app.clock.now()
  const since = now.subtract({ minutes: requestLimits.windowMinutes })
  return app.database.transaction("auth", async (tx) => {
    await lockAttempts(tx, attempt)
    const made = await tx.row<MailRequestCounts>(sql`
      select count(*) filter (where subject = ${attempt.subject}) as "ofEmail",
        count(*) filter (where address = ${attempt.address}) as "ofAddress",
        exists (select from sign_in_attempts where kind = 'password' and succeeded and subject = ${attempt.subject}
          and address = ${attempt.address} and at > ${now.subtract({ hours: attemptRetentionDays * 24 })}) as "addressIsKnown",
        extract(epoch from ${now}::timestamptz - max(at) filter (where address = ${attempt.address}))::float8
          as "secondsSinceLast"
      from sign_in_attempts
      where kind = 'request' and at > ${since} and (subject = ${attempt.subject} or address = ${attempt.address})`)
    const step = checkMailRequest(made!)
    if ("waitSeconds" in step) throw tooManyAttempts(step.waitSeconds)
    await insertAttempt(tx, "request", attempt, now)
    return step.mayMail
  })
}

function tooManyAttempts(seconds: number) {
  const wait = seconds >= 120 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`
  return refused("TOO_MANY", `Too many attempts. Please wait ${wait} and try again.`)
}

/** Minimum duration of answers that must not reveal by timing whether an address has an account. Tests shorten it. */
export const minimumAnswerDelay = { afterMs: 200 }

export async function withMinimumDuration<T>(answer: Promise<T>): Promise<T> {
  const [value] = await Promise.all([answer, setTimeout(minimumAnswerDelay.afterMs)])
  return value
}

async function lockAttempts(tx: Tx, { subject, address }: Attempt): Promise<void> {
  await holdLock(tx, "attemptsOfSubject", subject)
  await holdLock(tx, "attemptsFromAddress", address)
}

async function insertAttempt(
  tx: Tx,
  kind: string,
  { subject, address }: Attempt,
  now: Temporal.Instant,
): Promise<number> {
  const added = await tx.row<{ id: number }>(sql`
    insert into sign_in_attempts (kind, at, subject, address) values (${kind}, ${now}, ${subject}, ${address})
    returning id`)
  return added!.id
}
