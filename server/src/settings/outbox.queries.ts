import type { MailState } from "@milkwood/domain/platform/mail-states"
import { type MailDetail, settingsContract } from "@milkwood/domain/settings/settings.contract"
import { sql } from "drizzle-orm"
import { type Cx, command, refused } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { withSecret } from "../platform/work/mail.ts"
import { isMailed, linksHeldUntil } from "../platform/work/mail-server.ts"
import { signedIn } from "../users/sessions.ts"

const columns = sql.raw(`
  id, to_address as "to", subject, state, attempts, created_at as "createdAt", sent_at as "sentAt", last_error as "lastError"`)

/** Opens a mail, which puts its reader on record. */
export const outboxDetail = command(settingsContract.outbox.detail, async (cx) => {
  const mail = await mailDetail(cx, cx.input.mailId)
  await recordReading(cx, mail)
  return mail
})

/** Once a person, mail and day: an open page asks again with every news of the mail, this one too. */
async function recordReading(cx: Cx, { id, subject }: MailDetail): Promise<void> {
  const { tx, now, timezone } = cx
  const { userId } = signedIn(cx)
  const dayBegan = now.toZonedDateTimeISO(timezone).startOfDay().toInstant()
  const known = await tx.row(sql`
    select from audit_log where record_kind = 'mail' and record_id = ${id} and fact = 'OutboxMailRead'
      and actor_id = ${userId} and at >= ${dayBegan} limit 1`)
  if (known) return
  await record(cx, [{ type: "OutboxMailRead", record: { kind: "mail", id, label: subject }, groupId: null }])
}

/**
 * One mail with its text; NOT_FOUND when there is none. A link to sign in is shown where no mail server can deliver it,
 * and no change of the mail server holds links back: the administrator hands it on.
 */
export async function mailDetail(cx: Pick<Cx, "app" | "tx" | "now">, mailId: string): Promise<MailDetail> {
  const { tx } = cx
  const mail = await tx.row<Omit<MailDetail, "allowedActions"> & { secret: string | null }>(sql`
    select ${columns}, text_body as text, secret, attachments,
      case when state = 'queued' then next_attempt_at end as "nextAttemptAt"
    from mails where id = ${mailId}`)
  if (!mail) throw refused("NOT_FOUND", "There is no such mail.")
  const { secret, text, ...rest } = mail
  const goesOut = await isMailed(cx)
  const isReadable = mail.state === "kept" && !goesOut && (await linksHeldUntil(cx)) === null
  return {
    ...rest,
    text: isReadable ? withSecret(text, secret) : text,
    allowedActions: mailActions(mail.state, goesOut),
  }
}

/** What may be done with a mail. */
export function mailActions(state: MailState, goesOut: boolean): "retry"[] {
  return goesOut && state !== "sent" ? ["retry"] : []
}
