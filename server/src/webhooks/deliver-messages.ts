import { holdSeconds, retryAfterSeconds } from "@milkwood/domain/webhooks/webhook"
import { sql } from "drizzle-orm"
import { tell } from "../notifications/tell.ts"
import type { App } from "../platform/app.ts"
import type { Cx } from "../platform/calls/commands.ts"
import type { Tx } from "../platform/database/database.ts"
import { openSecret } from "../platform/secrets.ts"
import { record } from "../platform/trail/facts.ts"
import { notifyScreens } from "../platform/work/live.ts"
import { type Answer, postMessage, signedHeaders } from "./post-message.ts"

/** What a secret is sealed about. */
export const aboutSecret = (webhookId: string): string => `webhook ${webhookId}`

interface Due {
  id: string
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

/**
 * Sends what is due, one message after the other, until the server stops; answers how many were tried. A message is held
 * by its row while it is on its way: another server takes the next one, and if this one dies, the row is free again.
 */
export async function deliverMessages(app: App, signal: AbortSignal = new AbortController().signal): Promise<number> {
  let tried = 0
  while (!signal.aborted && (await deliverNext(app, signal))) tried++
  return tried
}

async function deliverNext(app: App, signal: AbortSignal): Promise<boolean> {
  const moment = await app.moment()
  const actor = { kind: "system", name: "Milkwood", onBehalfOf: null } as const
  try {
    return await app.database.transaction("jobs", async (tx) => {
      const due = await nextDue(tx)
      if (!due) return false
      const answer = await send(app, due, signal)
      await keep({ app, tx, actor, ...moment, requestId: due.id }, due, answer)
      return true
    })
  } catch (error) {
    // The server stops: nothing is known of the try, and the message is sent at the next start.
    if (signal.aborted) return false
    throw error
  }
}

const nextDue = (tx: Tx): Promise<Due | undefined> =>
  tx.row<Due>(sql`
    select d.id, d.event, d.body, d.attempts, w.id as "webhookId", w.name, w.url, w.failures, w.secret,
      w.old_secret as "oldSecret", w.old_secret_until as "oldSecretUntil"
    from webhook_deliveries d join webhooks w on w.id = d.webhook_id
    where d.state = 'waiting' and d.next_attempt_at <= clock_timestamp() and w.paused_at is null
      and w.removed_at is null and (w.held_until is null or w.held_until <= clock_timestamp())
    order by d.next_attempt_at, d.created_at limit 1 for update of d skip locked`)

async function send(app: App, due: Due, signal: AbortSignal): Promise<Answer> {
  const now = app.clock.now()
  const secrets = secretsOf(app, due, now)
  if (!secrets)
    return { status: null, ms: 0, said: "Its secret cannot be read with the key of this data folder: make a new one." }
  const headers = signedHeaders(due.id, now, due.body, secrets)
  return postMessage({ url: due.url, body: due.body, headers, networks: app.webhookNetworks }, signal)
}

/** The secrets that hold now, the newest first; nothing where they were sealed with another key. */
function secretsOf(app: App, due: Due, now: Temporal.Instant): string[] | undefined {
  const holds = due.oldSecretUntil !== null && Date.parse(due.oldSecretUntil) > now.epochMilliseconds
  try {
    return [due.secret, ...(holds ? [due.oldSecret!] : [])].map((kept) =>
      openSecret(app, aboutSecret(due.webhookId), kept),
    )
  } catch {
    return undefined
  }
}

/** Puts a try on record, with what is to come of the message and of its webhook. */
async function keep(cx: Cx, due: Due, answer: Answer): Promise<void> {
  const { tx, now } = cx
  const isTaken = answer.status !== null && answer.status >= 200 && answer.status < 300
  const wait = isTaken ? null : retryAfterSeconds(due.attempts + 1)
  const state = isTaken ? "delivered" : wait === null ? "given_up" : "waiting"
  const said = wordsOf(answer)
  await tx.run(sql`
    insert into webhook_tries (delivery_id, at, ms, status, said)
    values (${due.id}, ${now}, ${answer.ms}, ${answer.status}, ${answer.said})`)
  await tx.run(sql`
    update webhook_deliveries set attempts = attempts + 1, answer = ${said}, state = ${state},
      next_attempt_at = clock_timestamp() + make_interval(secs => ${wait}::float8),
      finished_at = ${state === "waiting" ? null : now}::timestamptz
    where id = ${due.id}`)
  // What answers is sent more; what does not, or says that it cannot, is left alone for a while.
  const failures = isUnwell(answer) ? due.failures + 1 : 0
  if (failures !== due.failures)
    await tx.run(sql`
      update webhooks set failures = ${failures},
        held_until = clock_timestamp() + make_interval(secs => ${failures > 0 ? holdSeconds(failures) : null}::float8)
      where id = ${due.webhookId}`)
  if (state === "given_up") await giveUp(cx, due, said)
  await notifyScreens(tx, { kind: "webhook", id: due.webhookId, groupId: null })
}

const isUnwell = ({ status }: Answer): boolean => status === null || status === 429 || status >= 500

/** An answer in a line, as the list shows it. */
function wordsOf({ status, said }: Answer): string {
  if (status === null) return said
  if (status >= 300 && status < 400) return `${status}: it leads elsewhere, which is not followed.`
  return said && status >= 300 ? `${status}: ${said}` : String(status)
}

async function giveUp(cx: Cx, { webhookId: id, name: label, event }: Due, reason: string): Promise<void> {
  const webhook = { kind: "webhook", id, label } as const
  await record(cx, [{ type: "WebhookGaveUp", record: webhook, groupId: null, event, reason }])
  await tell(cx, "webhook_failed", [{ record: webhook, groupId: null, roles: ["admin"] }])
}
