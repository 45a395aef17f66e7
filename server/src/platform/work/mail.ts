import { randomUUID } from "node:crypto"
import type { Readable } from "node:stream"
import type { MailDelivery } from "@milkwood/domain/platform/mail-server"
import { type SQL, sql } from "drizzle-orm"
import type { App } from "../app.ts"
import type { Cx } from "../calls/commands.ts"
import { notifyScreens } from "./live.ts"
import { toMailHtml } from "./mail-html.ts"
import { isMailEnabled, lastLinksFrom, openMailTransport, readMailDelivery } from "./mail-server.ts"

export interface Mail {
  to: string
  subject: string
  text: string
  secret?: string
  attachments?: { fileId: string; name: string }[]
  about?: { kind: string; id: string }
  /** The documents of a mail about several, instead of `about`. Requires a group. */
  covers?: { kind: string; id: string }[]
  groupId?: string | null
  /** The mail server change that this mail reports. The previous server delivers it. */
  formerOf?: string
  heldSeconds?: number
}

/** Shown in the outbox instead of the secret. */
export const secretPlaceholder = "[secret link, shown only in the e-mail itself]"
/** In mails queued by earlier versions. */
const formerPlaceholder = "[a link that only the mail itself holds]"

export const insertSecret = (text: string, secret: string | null): string =>
  secret === null ? text : text.replaceAll(secretPlaceholder, () => secret).replaceAll(formerPlaceholder, () => secret)

/**
 * Queues a mail in the transaction of the change, so it is sent only if that commits. Without SMTP it stays in the
 * outbox. Returns the mail's id.
 */
export async function queueMail(cx: Pick<Cx, "tx" | "app" | "now">, mail: Mail): Promise<string> {
  const [id] = await queueMails(cx, [mail])
  return id!
}

export async function queueMails(cx: Pick<Cx, "tx" | "app" | "now">, mails: readonly Mail[]): Promise<string[]> {
  if (mails.length === 0) return []
  const rows = mails.map(({ attachments = [], ...mail }) => ({ ...mail, id: randomUUID(), attachments }))
  const goesOut = await isMailEnabled(cx)
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

function retryDelaySeconds(attempts: number): number | null {
  const delays = [5, 15, 60, 300, 900]
  if (attempts > 100) return null
  return delays[attempts - 1] ?? 1800
}

/** Milliseconds that a mail may still take at shutdown; otherwise it is sent again at the next start. */
const stopTimeoutMs = 3_000

/** Delivers due mails one at a time until the server stops. Returns how many were handled. Failed mails are retried. */
export async function deliverMails(app: App, signal: AbortSignal = new AbortController().signal): Promise<number> {
  let handled = 0
  while (!signal.aborted && (await deliver(app, sql`next_attempt_at <= clock_timestamp()`, signal)) !== undefined)
    handled++
  return handled
}

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

const maxFormerServerAttempts = 9

/**
 * Sign-in links wait while they are held back. Without a mail server, only notices that the former server delivers are
 * sent.
 */
function isDeliverable(app: App, delivery: MailDelivery): SQL {
  if (delivery === "outbox") return sql`former_of is not null`
  if (delivery !== "settings") return sql`true`
  return sql`(secret is null or coalesce((${lastLinksFrom}) <= ${app.clock.now()}::timestamptz, true))`
}

/** The mail server's answer may contain characters that PostgreSQL cannot store. */
function toStorableText(said: string): string {
  return said
    .replace(/[\p{Cc}\p{Cs}]+/gu, " ")
    .slice(0, 500)
    .toWellFormed()
}

/** A 5xx after RCPT TO means an unknown recipient, so a retry is useless. Other refusals may be temporary. */
function isPermanentRefusal(error: unknown): boolean {
  const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number }
  return code === "EENVELOPE" && command === "RCPT TO" && responseCode !== undefined && responseCode >= 500
}

async function rejectAfterStop<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const giveUp = () =>
    setTimeout(reject, stopTimeoutMs, new Error("The server stopped before the e-mail was accepted.")).unref()
  signal.addEventListener("abort", giveUp, { once: true })
  return Promise.race([work, promise]).finally(() => signal.removeEventListener("abort", giveUp))
}

async function deliver(app: App, which: SQL, signal: AbortSignal): Promise<string | undefined> {
  return app.database.transaction("jobs", async (tx) => {
    const delivery = await readMailDelivery({ app, tx })
    const mail = await tx.row<MailRow>(sql`
      select id, to_address as "to", subject, text_body as text, secret, attachments, attempts, former_of as "formerOf"
      from mails where state = 'queued' and ${which} and ${isDeliverable(app, delivery)}
      order by next_attempt_at limit 1 for update skip locked`)
    if (!mail) return undefined
    const attachments: { filename: string; content: Readable }[] = []
    try {
      const isByFormer = mail.formerOf !== null && (delivery === "outbox" || mail.attempts < maxFormerServerAttempts)
      const way = await openMailTransport({ app, tx }, isByFormer ? mail.formerOf : null)
      if (!way) return undefined
      for (const { fileId, name } of mail.attachments) {
        attachments.push({ filename: name, content: await (await app.files.read(tx, fileId)).open() })
      }
      const text = insertSecret(mail.text, mail.secret)
      const sending = way.transport.sendMail({
        from: way.from,
        to: mail.to,
        subject: mail.subject,
        text,
        html: toMailHtml(text, way.organisation),
        attachments,
        // A second delivery after a crash has the same message id.
        messageId: `<${mail.id}@milkwood>`,
      })
      const answer = await rejectAfterStop(signal, sending).finally(() => way.transport.close())
      await tx.run(sql`
        update mails set state = 'sent', attempts = attempts + 1, last_error = null, secret = null, sent_at = ${app.clock.now()} where id = ${mail.id}`)
      return toStorableText(answer.response ?? "")
    } catch (error) {
      const isLastTry = delivery === "outbox" && mail.attempts + 1 >= maxFormerServerAttempts
      const wait = isPermanentRefusal(error) || isLastTry ? null : retryDelaySeconds(mail.attempts + 1)
      const said = toStorableText((error as Error).message)
      await tx.run(sql`
        update mails set attempts = attempts + 1, last_error = ${said},
          state = ${wait === null ? "failed" : "queued"},
          next_attempt_at = clock_timestamp() + make_interval(secs => ${wait ?? 0})
        where id = ${mail.id}`)
      return said
    } finally {
      await notifyScreens(tx, { kind: "mail", id: mail.id, groupId: null })
      for (const { content } of attachments) content.destroy()
    }
  })
}
