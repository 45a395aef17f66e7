import type { MailDelivery, MailServer } from "@milkwood/domain/platform/mail-server"
import { mailSettings } from "@milkwood/domain/platform/mail-settings"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { sql } from "drizzle-orm"
import { createTransport, type Transporter } from "nodemailer"
import type { App } from "../app.ts"
import { actorUserId } from "../calls/actor.ts"
import { type Cx, refused } from "../calls/commands.ts"
import type { Tx } from "../database/database.ts"
import { openSecret, sealSecret } from "../secrets.ts"
import { readSettings } from "../settings/store.ts"

type MailServerCx = Pick<Cx, "app" | "tx">

/**
 * When held sign-in links are sent after an unconfirmed change of the mail server; null if none are held. With
 * SMTP_URL, which overrides the settings, none are held.
 */
export async function readLinksHeldUntil({
  app,
  tx,
  now,
}: Pick<Cx, "app" | "tx" | "now">): Promise<Temporal.Instant | null> {
  if (app.smtpUrl) return null
  const last = await tx.row<{ linksFrom: string | null }>(sql`select (${lastLinksFrom}) as "linksFrom"`)
  const until = last?.linksFrom ? Temporal.Instant.from(last.linksFrom) : null
  return until && Temporal.Instant.compare(now, until) < 0 ? until : null
}

export const lastLinksFrom = sql`
  select links_from from mail_server_changes where state = 'applied' order by decided_at desc limit 1`

export async function expectLinksNotHeld(cx: Pick<Cx, "app" | "tx" | "now" | "timezone">): Promise<void> {
  const until = await readLinksHeldUntil(cx)
  if (!until) return
  const at = until.toZonedDateTimeISO(cx.timezone)
  const when = `${at.toPlainDate()} at ${at.toPlainTime().toString({ smallestUnit: "minute" })}`
  throw refused(
    "LINKS_HELD",
    `The mail server was changed, so sign-in links are not emailed until ${when}. Ask an administrator if you need one sooner.`,
  )
}

/** Value of SMTP_URL that stops all mail, such as for a restore drill. */
export const mailDisabledUrl = "off"

export async function readMailDelivery({ app, tx }: MailServerCx): Promise<MailDelivery> {
  if (app.smtpUrl) return app.smtpUrl === mailDisabledUrl ? "off" : "environment"
  const { mailServer } = await readSettings(tx, mailSettings)
  return mailServer.host === "" ? "outbox" : "settings"
}

export async function isMailEnabled(cx: MailServerCx): Promise<boolean> {
  const delivery = await readMailDelivery(cx)
  return delivery === "environment" || delivery === "settings"
}

export interface MailTransport {
  from: string
  organisation: string
  transport: Transporter
}

const smtpTimeouts = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
  disableFileAccess: true,
  disableUrlAccess: true,
}

/**
 * The current mail transport, or the one that a change replaced (`formerOf`); the caller closes it. Undefined if mail
 * stays in the outbox. Runs as staff.
 *
 * @throws if the stored password was sealed with another data folder's key
 */
export async function openMailTransport(
  { app, tx }: MailServerCx,
  formerOf: string | null = null,
): Promise<MailTransport | undefined> {
  const delivery = await readMailDelivery({ app, tx })
  const { organisation, mailServer } = await readSettings(tx, { ...mailSettings, ...platformSettings })
  const from = (...addresses: string[]) => {
    const address = addresses.find((one) => one.includes("@")) ?? `milkwood@${new URL(app.publicUrl).hostname}`
    return `"${organisation.name.replace(/["\\\r\n]/g, "")}" <${address}>`
  }
  if (delivery === "environment") {
    const url = app.smtpUrl!
    return {
      from: from(decodeURIComponent(new URL(url).username)),
      organisation: organisation.name,
      transport: createTransport({ url, ...smtpTimeouts }),
    }
  }
  const former = delivery === "off" || formerOf === null ? undefined : await readFormerServer(tx, formerOf)
  if (!former && delivery !== "settings") return undefined
  const { server, sealed } = former ?? { server: mailServer, sealed: await readSealedPassword(tx) }
  const { host, port, encryption, user, sender } = server
  const pass = user === "" || sealed === null ? null : openPassword(app, sealed)
  return {
    from: from(sender, user),
    organisation: organisation.name,
    transport: createTransport({
      ...smtpTimeouts,
      host,
      port,
      secure: encryption === "tls",
      requireTLS: encryption === "starttls",
      ignoreTLS: encryption === "none",
      ...(user !== "" && { auth: { user, pass: pass ?? "" } }),
    }),
  }
}

const readFormerServer = (tx: Tx, changeId: string) =>
  tx.row<{ server: MailServer; sealed: string | null }>(sql`
    select former as server, former_password as sealed from mail_server_changes where id = ${changeId}`)

const passwordPurpose = "the password of the mail server"

export const hasPassword = async (tx: Tx): Promise<boolean> =>
  (await tx.row(sql`select from mail_server_password`)) !== undefined

export const readSealedPassword = async (tx: Tx): Promise<string | null> =>
  (await tx.row<{ sealed: string }>(sql`select sealed from mail_server_password`))?.sealed ?? null

export const sealMailPassword = (app: App, password: string): string => sealSecret(app, passwordPurpose, password)

function openPassword(app: App, sealed: string): string {
  try {
    return openSecret(app, passwordPurpose, sealed)
  } catch {
    throw new Error(
      "The stored mail password was encrypted with the key of another data folder. Enter it again in the settings.",
    )
  }
}

export const storePassword = ({ tx, now, actor }: Cx, sealed: string): Promise<unknown> =>
  tx.run(sql`
    insert into mail_server_password (sealed, saved_at, saved_by)
    values (${sealed}, ${now}, ${actorUserId(actor)})
    on conflict (one) do update set sealed = excluded.sealed, saved_at = excluded.saved_at, saved_by = excluded.saved_by`)

export const deletePassword = async (tx: Tx): Promise<boolean> =>
  (await tx.run(sql`delete from mail_server_password`)) > 0

/** Makes waiting mails due at once after a change of the mail server. */
export async function retryQueuedMails(tx: Tx): Promise<void> {
  await tx.run(sql`update mails set next_attempt_at = clock_timestamp() where state = 'queued'`)
  await tx.run(sql`notify milkwood_mails`)
}
