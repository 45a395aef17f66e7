import {
  attemptTimeoutSeconds,
  interruptedMessage,
  maxAttempts,
  pauseSecondsAfter,
  retryAfterSeconds,
} from "@milkwood/domain/webhooks/webhook"
import { sql } from "drizzle-orm"
import { notifyPeople } from "../notifications/tell.ts"
import type { App } from "../platform/app.ts"
import type { Cx } from "../platform/calls/commands.ts"
import { holdLock } from "../platform/database/locks.ts"
import { openSecret } from "../platform/secrets.ts"
import { record } from "../platform/trail/facts.ts"
import { notifyScreens } from "../platform/work/live.ts"
import { type Answer, postMessage, signHeaders } from "./post-message.ts"

export const secretPurpose = (webhookId: string): string => `webhook ${webhookId}`

/** Maximum number of messages that a server sends at once, each to a different receiver. */
const maxConcurrentMessages = 8

/**
 * Sends due messages: one at a time per receiver, several receivers at once. Not a job: only two jobs run at a time,
 * and they restart from the beginning.
 *
 * A try is recorded as begun (`beginTry`), posted, and its outcome recorded (`endTry`). No database connection or lock
 * is held meanwhile. After a crash it counts as interrupted and is retried after its time limit.
 */
export class MessageSender {
  tried = 0
  readonly #app: App
  readonly #failed: (error: unknown) => void
  readonly #lanes = new Set<Promise<void>>()

  constructor(app: App, failed: (error: unknown) => void) {
    this.#app = app
    this.#failed = failed
  }

  look(signal: AbortSignal): void {
    if (signal.aborted || this.#lanes.size >= maxConcurrentMessages) return
    const lane = this.#lane(signal)
      .catch(this.#failed)
      .finally(() => this.#lanes.delete(lane))
    this.#lanes.add(lane)
  }

  async idle(): Promise<void> {
    while (this.#lanes.size > 0) await Promise.all(this.#lanes)
  }

  async #lane(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const due = await startAttempt(this.#app)
      if (!due) return
      this.look(signal)
      if (due.tryId === null) continue
      this.tried++
      const answer = await sendMessage(this.#app, due, signal)
      // The server stops: the outcome is unknown, so the try stays interrupted.
      if (!answer) return
      await finishAttempt(this.#app, due, answer)
    }
  }
}

interface DueMessage {
  id: string
  tryId: number | null
  event: string
  body: string
  attempts: number
  webhookId: string
  name: string
  url: string
  failures: number
  secret: string
  oldSecret: string | null
  oldSecretUntil: string | null
}

async function runInTransaction<T>(app: App, work: (cx: Cx) => Promise<T>): Promise<T> {
  const moment = await app.moment()
  const actor = { kind: "system", name: "Milkwood", onBehalfOf: null } as const
  return app.database.transaction("jobs", (tx) => work({ app, tx, actor, ...moment, requestId: "webhooks" }))
}

/**
 * Records the try as interrupted first, in case the server dies. Skips receivers with a running try. Serialised across
 * servers, so two never start the same message.
 */
const startAttempt = (app: App): Promise<DueMessage | undefined> =>
  runInTransaction(app, async (cx) => {
    const { tx, now } = cx
    await holdLock(tx, "webhookAttempts")
    const due = await tx.row<Omit<DueMessage, "tryId">>(sql`
      select d.id, d.event, d.body, d.attempts, w.id as "webhookId", w.name, w.url, w.failures, w.secret,
        w.old_secret as "oldSecret", w.old_secret_until as "oldSecretUntil"
      from webhooks w cross join lateral (
        select id from webhook_deliveries
        where webhook_id = w.id and state = 'waiting' and next_attempt_at <= statement_timestamp()
        order by next_attempt_at, created_at limit 1
      ) next join webhook_deliveries d on d.id = next.id
      where d.state = 'waiting' and w.paused_at is null and w.removed_at is null
        and (w.held_until is null or w.held_until <= statement_timestamp())
        and not exists (select from webhook_attempts t join webhook_deliveries other on other.id = t.delivery_id
          where t.ms is null and t.until > statement_timestamp() and other.webhook_id = w.id)
      order by d.next_attempt_at, d.created_at limit 1 for update of d skip locked`)
    if (!due) return undefined
    if (due.attempts >= maxAttempts) {
      await tx.run(sql`
        update webhook_deliveries set state = 'given_up', next_attempt_at = null, finished_at = ${now} where id = ${due.id}`)
      await abandonDelivery(cx, due, interruptedMessage)
      return { ...due, tryId: null }
    }
    const begun = await tx.row<{ id: number }>(sql`
      insert into webhook_attempts (delivery_id, at, until, said)
      values (${due.id}, ${now}, clock_timestamp() + make_interval(secs => ${attemptTimeoutSeconds}), ${interruptedMessage}) returning id`)
    const wait = Math.max(attemptTimeoutSeconds, retryAfterSeconds(due.attempts + 1) ?? 0)
    await tx.run(sql`
      update webhook_deliveries set attempts = attempts + 1, answer = ${interruptedMessage},
        next_attempt_at = clock_timestamp() + make_interval(secs => ${wait})
      where id = ${due.id}`)
    await notifyScreens(tx, { kind: "webhook", id: due.webhookId, groupId: null })
    return { ...due, tryId: begun!.id }
  })

async function sendMessage(app: App, due: DueMessage, signal: AbortSignal): Promise<Answer | undefined> {
  const now = app.clock.now()
  const secrets = openSecrets(app, due, now)
  if (!secrets)
    return {
      status: null,
      ms: 0,
      said: "The webhook's secret cannot be decrypted with the key of this data folder. Create a new secret.",
    }
  const headers = signHeaders(due.id, now, due.body, secrets)
  try {
    return await postMessage({ url: due.url, body: due.body, headers, networks: app.webhookNetworks }, signal)
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}

/** Valid secrets, newest first; undefined if they are encrypted with another key. */
function openSecrets(app: App, due: DueMessage, now: Temporal.Instant): string[] | undefined {
  const holds = due.oldSecretUntil !== null && Date.parse(due.oldSecretUntil) > now.epochMilliseconds
  try {
    return [due.secret, ...(holds ? [due.oldSecret!] : [])].map((kept) =>
      openSecret(app, secretPurpose(due.webhookId), kept),
    )
  } catch {
    return undefined
  }
}

const finishAttempt = (app: App, due: DueMessage, answer: Answer): Promise<void> =>
  runInTransaction(app, async (cx) => {
    const { tx, now } = cx
    const isTaken = answer.status !== null && answer.status >= 200 && answer.status < 300
    const wait = isTaken ? null : retryAfterSeconds(due.attempts + 1)
    const state = isTaken ? "delivered" : wait === null ? "given_up" : "waiting"
    const said = answerTextOf(answer)
    await tx.run(sql`
      update webhook_attempts set ms = ${answer.ms}, status = ${answer.status}, said = ${answer.said} where id = ${due.tryId}`)
    // A server that stalled past the limit must not overwrite a later try.
    const isLast = await tx.run(sql`
      update webhook_deliveries d set answer = ${said}, state = ${state},
        next_attempt_at = clock_timestamp() + make_interval(secs => ${wait}::float8),
        finished_at = ${state === "waiting" ? null : now}::timestamptz
      where d.id = ${due.id} and d.state = 'waiting'
        and not exists (select from webhook_attempts t where t.delivery_id = d.id and t.id > ${due.tryId})`)
    if (isLast === 0) return
    const failures = isReceiverUnavailable(answer) ? due.failures + 1 : 0
    if (failures !== due.failures)
      await tx.run(sql`
        update webhooks set failures = ${failures},
          held_until = clock_timestamp() + make_interval(secs => ${failures > 0 ? pauseSecondsAfter(failures) : null}::float8)
        where id = ${due.webhookId}`)
    if (state === "given_up") await abandonDelivery(cx, due, said)
    await notifyScreens(tx, { kind: "webhook", id: due.webhookId, groupId: null })
  })

const isReceiverUnavailable = ({ status }: Answer): boolean => status === null || status === 429 || status >= 500

function answerTextOf({ status, said }: Answer): string {
  if (status === null) return said
  if (status >= 300 && status < 400) return `${status}: redirects are not followed.`
  return said && status >= 300 ? `${status}: ${said}` : String(status)
}

type AbandonedDelivery = Pick<DueMessage, "webhookId" | "name" | "event">

async function abandonDelivery(
  cx: Cx,
  { webhookId: id, name: label, event }: AbandonedDelivery,
  reason: string,
): Promise<void> {
  const webhook = { kind: "webhook", id, label } as const
  await record(cx, [{ type: "WebhookGaveUp", record: webhook, groupId: null, event, reason }])
  await notifyPeople(cx, "webhook_failed", [{ record: webhook, groupId: null, roles: ["admin"] }])
}
