import { type MailServer, ownAddresses, serverName } from "@milkwood/domain/platform/mail-server"
import { platformSettings } from "@milkwood/domain/platform/platform-settings"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { readSettings } from "../platform/settings/store.ts"
import { queueMails } from "../platform/work/mail.ts"
import { administratorsSql } from "../users/users.queries.ts"

interface MailServerNotice {
  id: string
  former: MailServer
  server: MailServer
  by: string
  linksFrom: Temporal.Instant | null
  state: "asked" | "held" | "confirmed"
}

const noticeSubjects = {
  asked: "A change of the mail server needs confirmation",
  held: "The mail server was changed",
  confirmed: "The mail server was changed",
}

/** The former server sends the notice, because an attacker's new server could suppress it. */
export async function queueMailServerNotice(cx: Cx, notice: MailServerNotice): Promise<void> {
  const { id, former, state } = notice
  const people = await cx.tx.rows<{ email: string }>(sql`select email from ${administratorsSql} a order by email`)
  const addresses = new Set([...people.map(({ email }) => email), ...ownAddresses(former)])
  const text = await noticeText(cx, notice)
  const hasFormer = former.host !== ""
  await queueMails(
    cx,
    [...addresses].map((to) => ({ to, subject: noticeSubjects[state], text, ...(hasFormer && { formerOf: id }) })),
  )
}

async function noticeText(cx: Cx, { former, server, by, linksFrom, state }: MailServerNotice): Promise<string> {
  const { organisation } = await readSettings(cx.tx, platformSettings)
  const page = `${cx.app.publicUrl.replace(/\/+$/, "")}/settings/email#server`
  const servers = `from ${serverName(former)} to ${serverName(server)}`
  const parts = {
    asked: [
      `${by} asked to change Milkwood's mail server ${servers}. E-mails use the current server until another administrator confirms the change.`,
      `Confirm or withdraw it here: ${page}`,
    ],
    held: [
      `${by} changed Milkwood's mail server ${servers}. There is no second administrator to confirm the change, so sign-in links are not emailed until ${linksFrom ? formatTime(cx, linksFrom) : "then"}.`,
      `You can change the mail server here: ${page}`,
    ],
    confirmed: [`${by} confirmed the change of Milkwood's mail server ${servers}. E-mails now use the new server.`],
  }
  return [
    ...parts[state],
    "If you did not expect this, contact your administrators immediately: e-mails contain the links for setting passwords.",
    organisation.name,
  ].join("\n\n")
}

function formatTime({ timezone }: Cx, instant: Temporal.Instant): string {
  const at = instant.toZonedDateTimeISO(timezone)
  return `${at.toPlainDate()} at ${at.toPlainTime().toString({ smallestUnit: "minute" })}`
}
