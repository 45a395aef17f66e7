import type { MailDelivery } from "@milkwood/domain/platform/mail-server"
import { mailSettings } from "@milkwood/domain/platform/mail-settings"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { sql } from "drizzle-orm"
import { createTransport, type Transporter } from "nodemailer"
import { actorUserId } from "../calls/actor.ts"
import type { Cx } from "../calls/commands.ts"
import type { Tx } from "../database/database.ts"
import { openSecret, sealSecret } from "../secrets.ts"
import { readSettings } from "../settings/store.ts"

type Asked = Pick<Cx, "app" | "tx">

/** What SMTP_URL says where no mail is to leave the house, whatever the settings say: for a drill with a backup. */
export const mailIsOff = "off"

/** Where mail goes now. SMTP_URL wins over the settings, so that whoever runs the server has the last word. */
export async function mailDelivery({ app, tx }: Asked): Promise<MailDelivery> {
  if (app.smtpUrl) return app.smtpUrl === mailIsOff ? "off" : "environment"
  const { mailServer } = await readSettings(tx, mailSettings)
  return mailServer.host === "" ? "outbox" : "settings"
}

/** Whether mail goes out, or only stays in the outbox for administrators to read. */
export async function isMailed(cx: Asked): Promise<boolean> {
  const delivery = await mailDelivery(cx)
  return delivery === "environment" || delivery === "settings"
}

/** The way to a mail server, and whom mail comes from. */
export interface MailWay {
  from: string
  organisation: string
  transport: Transporter
}

/** Never long: a mail server that takes the call and says nothing holds up all others. */
const limits = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
  disableFileAccess: true,
  disableUrlAccess: true,
}

/**
 * The way as it is now, to be closed by who asked; undefined where mail stays here. Runs as staff.
 * @throws where the password that is kept was sealed with another data folder's key
 */
export async function mailWay({ app, tx }: Asked): Promise<MailWay | undefined> {
  const delivery = await mailDelivery({ app, tx })
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
      transport: createTransport({ url, ...limits }),
    }
  }
  if (delivery !== "settings") return undefined
  const { host, port, encryption, user, sender } = mailServer
  const pass = user === "" ? null : await keptPassword({ app, tx })
  return {
    from: from(sender, user),
    organisation: organisation.name,
    transport: createTransport({
      ...limits,
      host,
      port,
      secure: encryption === "tls",
      requireTLS: encryption === "starttls",
      ignoreTLS: encryption === "none",
      ...(user !== "" && { auth: { user, pass: pass ?? "" } }),
    }),
  }
}

const about = "the password of the mail server"

/** Whether a password is kept; it itself is shown to nobody. */
export const hasPassword = async (tx: Tx): Promise<boolean> =>
  (await tx.row(sql`select from mail_server_password`)) !== undefined

async function keptPassword({ app, tx }: Asked): Promise<string | null> {
  const kept = await tx.row<{ sealed: string }>(sql`select sealed from mail_server_password`)
  if (!kept) return null
  try {
    return openSecret(app, about, kept.sealed)
  } catch {
    throw new Error(
      "The password that is kept was sealed with the key of another data folder: give it again in the settings.",
    )
  }
}

/** Keeps a password in place of the one before. */
export const keepPassword = ({ app, tx, now, actor }: Cx, password: string): Promise<unknown> =>
  tx.run(sql`
    insert into mail_server_password (sealed, saved_at, saved_by)
    values (${sealSecret(app, about, password)}, ${now}, ${actorUserId(actor)})
    on conflict (one) do update set sealed = excluded.sealed, saved_at = excluded.saved_at, saved_by = excluded.saved_by`)

/** Forgets it; answers whether there was one. */
export const forgetPassword = async (tx: Tx): Promise<boolean> =>
  (await tx.run(sql`delete from mail_server_password`)) > 0

/** What waits is due at once: the mail server is another, or has another sign-in. */
export async function deliverWaiting(tx: Tx): Promise<void> {
  await tx.run(sql`update mails set next_attempt_at = clock_timestamp() where state = 'queued'`)
  await tx.run(sql`notify milkwood_mails`)
}
