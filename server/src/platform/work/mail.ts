import { randomUUID } from "node:crypto"
import type { Readable } from "node:stream"
import type { MailDelivery } from "@milkwood/domain/platform/mail-server"
import { type SQL, sql } from "drizzle-orm"
import type { App } from "../app.ts"
import type { Cx } from "../calls/commands.ts"
import { notifyScreens } from "./live.ts"
import { mailHtml } from "./mail-html.ts"
import { isMailed, lastLinksFrom, mailDelivery, mailWay } from "./mail-server.ts"

export interface Mail {
  to: string
  subject: string
  text: string
  /** What only the recipient may read, such as a link to sign in: stands where the text has the `secretPlaceholder`. */
  secret?: string
  attachments?: { fileId: string; name: string }[]
  about?: { kind: string; id: string }
  /** The documents of a mail that covers several, in place of `about`. The mail has a group then. */
  covers?: { kind: string; id: string }[]
  groupId?: string | null
  /** The change of the mail server that this mail tells of: the server before it delivers the mail. */
  formerOf?: string
  /** Whoever queues it delivers it at once (`deliverMail`); the worker takes it up after so many seconds. */
  heldSeconds?: number
}

/** What people read in the outbox where the mail itself has its secret. The migration that introduced it names it too. */
export const secretPlaceholder = "[a link that only the mail itself holds]"

/** The text as its recipient reads it. */
export const withSecret = (text: string, secret: string | null): string =>
  secret === null ? text : text.replaceAll(secretPlaceholder, () => secret)

/**
 * Writes a mail into the outbox in the change's transaction: it goes out if, and only if, the change is kept.
 * Without SMTP it stays there for administrators to read. Answers the mail's id.
 */
export async function queueMail(cx: Pick<Cx, "tx" | "app" | "now">, mail: Mail): Promise<string> {
  const [id] = await queueMails(cx, [mail])
  return id!
}

/** The same for many, with one statement. */
export async function queueMails(cx: Pick<Cx, "tx" | "app" | "now">, mails: readonly Mail[]): Promise<string[]> {
  if (mails.length === 0) return []
  const rows = mails.map(({ attachments = [], ...mail }) => ({ ...mail, id: randomUUID(), attachments }))
  const goesOut = await isMailed(cx)
  await cx.tx.run(sql`
    insert into mails (id, group_id, to_address, subject, text_body, secret, attachments, about_kind, about_id, former_of, state, next_attempt_at, created_at)
    select id, "groupId", "to", subject, text, secret, attachments, about ->> 'kind', (about ->> 'id')::uuid, "formerOf",
      case when ${goesOut} or "formerOf" is not null then 'queued' else 'kept' end, clock_timestamp() + make_interval(secs => coalesce("heldSeconds", 0)), ${cx.now}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as (id uuid, "groupId" uuid, "to" text, subject text, text text, secret text, attachments jsonb, about jsonb, "formerOf" uuid, "heldSeconds" int)`)
  const covered = rows.flatMap(({ id: mailId, groupId, covers = [] }) =>
    covers.map(({ kind, id }) => ({ mailId, groupId, kind, id })),
  )
  if (covered.length > 0)
    await cx.tx.run(sql`
      insert into mail_documents (mail_id, group_id, document_kind, document_id)
      select "mailId", "groupId", kind, id from jsonb_to_recordset(${JSON.stringify(covered)}::jsonb)
        as ("mailId" uuid, "groupId" uuid, kind text, id uuid)`)
  if (goesOut || mails.some(({ formerOf }) => formerOf)) await cx.tx.run(sql`notify milkwood_mails`)
  return rows.map(({ id }) => id)
}

/** Seconds until the next try, by the number of tries made: quick at first, then every half hour for two days. */
function backoff(attempts: number): number | null {
  const delays = [5, 15, 60, 300, 900]
  if (attempts > 100) return null
  return delays[attempts - 1] ?? 1800
}

/** How long a mail on its way may still take when the server stops, in milliseconds; it goes out again at the next start. */
const stoppingPatience = 3_000

/**
 * Delivers what is due, one mail at a time, until the server stops; answers how many were handled. A failed one waits
 * and is tried again.
 */
export async function deliverMails(app: App, signal: AbortSignal = new AbortController().signal): Promise<number> {
  let handled = 0
  while (!signal.aborted && (await deliver(app, sql`next_attempt_at <= clock_timestamp()`, signal)) !== undefined)
    handled++
  return handled
}

/** Delivers this mail now, and answers what the mail server said to it; null where it is not to be had. */
export async function deliverMail(app: App, mailId: string): Promise<string | null> {
  return (await deliver(app, sql`id = ${mailId}`, new AbortController().signal)) ?? null
}

interface MailRow {
  id: string
  to: string
  subject: string
  text: string
  secret: string | null
  attachments: { fileId: string; name: string }[]
  attempts: number
  formerOf: string | null
}

/** How often a notice is tried at the mail server that was replaced, over two hours, before the new one may deliver it. */
const formerTries = 9

/**
 * The mails that may go out now. Links for signing in wait while they are held back. Without a mail server only the
 * notices go out that the server before delivers.
 */
function deliverable(app: App, delivery: MailDelivery): SQL {
  if (delivery === "outbox") return sql`former_of is not null`
  if (delivery !== "settings") return sql`true`
  return sql`(secret is null or coalesce((${lastLinksFrom}) <= ${app.clock.now()}::timestamptz, true))`
}

/** What the mail server said. It may be any program that listens at the address, and say what no database keeps. */
function storable(said: string): string {
  return said
    .replace(/[\p{Cc}\p{Cs}]+/gu, " ")
    .slice(0, 500)
    .toWellFormed()
}

/**
 * A mail server that knows no such recipient says so while the mail is handed over (5xx after RCPT TO): trying again
 * would bring the same answer. Other refusals may be about the server's own day.
 */
function isRefusedForGood(error: unknown): boolean {
  const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number }
  return code === "EENVELOPE" && command === "RCPT TO" && responseCode !== undefined && responseCode >= 500
}

/** The work, but no longer than the server waits once it stops. */
async function untilStopped<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const giveUp = () =>
    setTimeout(reject, stoppingPatience, new Error("The server stopped before the mail was taken.")).unref()
  signal.addEventListener("abort", giveUp, { once: true })
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", giveUp))
}

/** Hands over the first mail of these that waits; answers what the mail server said, undefined where there was none. */
async function deliver(app: App, which: SQL, signal: AbortSignal): Promise<string | undefined> {
  return app.database.transaction("jobs", async (tx) => {
    const delivery = await mailDelivery({ app, tx })
    // The row stays locked while the mail is on its way: a second process takes the next one.
    const mail = await tx.row<MailRow>(sql`
      select id, to_address as "to", subject, text_body as text, secret, attachments, attempts, former_of as "formerOf"
      from mails where state = 'queued' and ${which} and ${deliverable(app, delivery)}
      order by next_attempt_at limit 1 for update skip locked`)
    if (!mail) return undefined
    const attachments: { filename: string; content: Readable }[] = []
    try {
      // Asked for each mail: what was saved in the settings a moment ago holds for the next one.
      const isByFormer = mail.formerOf !== null && (delivery === "outbox" || mail.attempts < formerTries)
      const way = await mailWay({ app, tx }, isByFormer ? mail.formerOf : null)
      if (!way) return undefined
      for (const { fileId, name } of mail.attachments) {
        attachments.push({ filename: name, content: await (await app.files.read(tx, fileId)).open() })
      }
      const text = withSecret(mail.text, mail.secret)
      const sending = way.transport.sendMail({
        from: way.from,
        to: mail.to,
        subject: mail.subject,
        text,
        html: mailHtml(text, way.organisation),
        attachments,
        // A mail that was handed over but not ticked off in a crash goes out again with the same id.
        messageId: `<${mail.id}@milkwood>`,
      })
      const answer = await untilStopped(signal, sending).finally(() => way.transport.close())
      await tx.run(sql`
        update mails set state = 'sent', attempts = attempts + 1, last_error = null, secret = null, sent_at = ${app.clock.now()} where id = ${mail.id}`)
      return storable(answer.response ?? "")
    } catch (error) {
      const isLastTry = delivery === "outbox" && mail.attempts + 1 >= formerTries
      const wait = isRefusedForGood(error) || isLastTry ? null : backoff(mail.attempts + 1)
      const said = storable((error as Error).message)
      await tx.run(sql`
        update mails set attempts = attempts + 1, last_error = ${said},
          state = ${wait === null ? "failed" : "queued"},
          next_attempt_at = clock_timestamp() + make_interval(secs => ${wait ?? 0})
        where id = ${mail.id}`)
      return said
    } finally {
      await notifyScreens(tx, { kind: "mail", id: mail.id, groupId: null })
      // A mail server that is away never reads them, and each is an open file.
      for (const { content } of attachments) content.destroy()
    }
  })
}
