import { createHmac } from "node:crypto"
import { isIPv6 } from "node:net"
import { setTimeout } from "node:timers/promises"
import {
  type Failures,
  type Requests,
  requestLimits,
  requestStep,
  secondsToWait,
  signInLimits,
} from "@milkwood/domain/users/sign-in-limits"
import { sql } from "drizzle-orm"
import type { App } from "../platform/app.ts"
import { refused } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { holdLock } from "../platform/database/locks.ts"
import { cookieSecret } from "./session-cookie.ts"

/** An address from which an account signed in this long ago or less is one of its own. */
const knownForDays = 30

/** Who tries, from where: the e-mail address as typed and the network address, both as they are stored. */
export interface Attempt {
  subject: string
  address: string
}

/** The attempt that a call makes. The e-mail address is kept as a keyed hash, known or not. */
export function attemptOf(app: App, headers: Headers | undefined, email: string): Attempt {
  warnOfProxy(app, headers)
  return { subject: subjectOf(app, email), address: networkOf(headers) }
}

/** The attempt of somebody signed in to give the own password again: counted apart from what others try at the door. */
export function ownAttemptOf(app: App, email: string): Attempt {
  return { subject: subjectOf(app, `own ${email}`), address: "signed in" }
}

const subjectOf = (app: App, text: string): string =>
  createHmac("sha256", cookieSecret(app)).update(`subject ${text.toLowerCase()}`).digest("hex")

const warned = new WeakSet<App>()

/** Behind a proxy that PUBLIC_URL does not tell of, everybody has the proxy's address, and is counted as one. */
function warnOfProxy(app: App, headers: Headers | undefined): void {
  if (app.publicUrl.startsWith("https:") || !headers?.has("x-forwarded-for") || warned.has(app)) return
  warned.add(app)
  app.log.warn("requests come through a proxy, but PUBLIC_URL is not https: sign-in limits count all people as one")
}

/** Where a call comes from: one household has one IPv4 address, or a whole /64 of IPv6. */
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
 * Counts an attempt to give a password, before the password is looked at, so that many at once do not slip past the
 * count. It counts as a failure until `succeeded`. TOO_MANY with the time to wait when the limits are reached; what is
 * refused here is not counted again, so that the wait ends.
 */
export async function admitPassword(app: App, attempt: Attempt): Promise<number> {
  const now = app.clock.now()
  const since = now.subtract({ minutes: signInLimits.windowMinutes })
  return app.database.transaction("auth", async (tx) => {
    await lock(tx, attempt)
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
          and at > ${now.subtract({ hours: knownForDays * 24 })})
      select
        (select count(*) from failed, own where subject = ${attempt.subject} and address = ${attempt.address}
          and (own.at is null or failed.at > own.at)) as "ofAccountFromAddress",
        (select count(*) from failed where address = ${attempt.address}) as "ofAddress",
        (select count(*) from failed where subject = ${attempt.subject}
          and address not in (select address from known)) as "ofAccountFromStrangers",
        exists (select from known where address = ${attempt.address}) as "addressIsKnown",
        (select extract(epoch from ${now}::timestamptz - max(at))::float8 from failed) as "secondsSinceLast"`)
    const seconds = secondsToWait(failures!)
    if (seconds > 0) throw tooMany(seconds)
    return add(tx, "password", attempt, now)
  })
}

/** Ticks an attempt off as one with the right password, and forgets what no longer counts. */
export async function succeeded(tx: Tx, attemptId: number, now: Temporal.Instant): Promise<void> {
  await tx.run(sql`update sign_in_attempts set succeeded = true where id = ${attemptId}`)
  await tx.run(sql`delete from sign_in_attempts where at < ${now.subtract({ hours: knownForDays * 24 })}`)
}

/**
 * Counts a request that makes mail or an account. Answers whether mail may still go to this e-mail address: too many for
 * one are silently not sent. A network address with too many is slowed down (TOO_MANY with the time to wait), except for
 * accounts that have signed in from it.
 */
export async function admitRequest(app: App, attempt: Attempt): Promise<boolean> {
  const now = app.clock.now()
  const since = now.subtract({ minutes: requestLimits.windowMinutes })
  return app.database.transaction("auth", async (tx) => {
    await lock(tx, attempt)
    const made = await tx.row<Requests>(sql`
      select count(*) filter (where subject = ${attempt.subject}) as "ofEmail",
        count(*) filter (where address = ${attempt.address}) as "ofAddress",
        exists (select from sign_in_attempts where kind = 'password' and succeeded and subject = ${attempt.subject}
          and address = ${attempt.address} and at > ${now.subtract({ hours: knownForDays * 24 })}) as "addressIsKnown",
        extract(epoch from ${now}::timestamptz - max(at) filter (where address = ${attempt.address}))::float8
          as "secondsSinceLast"
      from sign_in_attempts
      where kind = 'request' and at > ${since} and (subject = ${attempt.subject} or address = ${attempt.address})`)
    const step = requestStep(made!)
    if ("waitSeconds" in step) throw tooMany(step.waitSeconds)
    await add(tx, "request", attempt, now)
    return step.mayMail
  })
}

function tooMany(seconds: number) {
  const wait = seconds >= 120 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`
  return refused("TOO_MANY", `Too many attempts. Please wait ${wait} and try again.`)
}

/** How long an answer takes that must not tell, by its time either, whether an address has an account. Tests change it. */
export const evenAnswers = { afterMs: 200 }

/** The answer, no sooner than `evenAnswers` says. */
export async function evenly<T>(answer: Promise<T>): Promise<T> {
  const [value] = await Promise.all([answer, setTimeout(evenAnswers.afterMs)])
  return value
}

async function lock(tx: Tx, { subject, address }: Attempt): Promise<void> {
  await holdLock(tx, "attemptsOfSubject", subject)
  await holdLock(tx, "attemptsFromAddress", address)
}

async function add(tx: Tx, kind: string, { subject, address }: Attempt, now: Temporal.Instant): Promise<number> {
  const added = await tx.row<{ id: number }>(sql`
    insert into sign_in_attempts (kind, at, subject, address) values (${kind}, ${now}, ${subject}, ${address})
    returning id`)
  return added!.id
}
