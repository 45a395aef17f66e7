import type { MailState } from "@milkwood/domain/platform/mail-states"
import { type MailDetail, settingsContract } from "@milkwood/domain/settings/settings.contract"
import { sql } from "drizzle-orm"
import { type Cx, command, refused } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { insertSecret } from "../platform/work/mail.ts"
import { isMailEnabled, readLinksHeldUntil } from "../platform/work/mail-server.ts"
import { requireUser } from "../users/sessions.ts"

const mailColumns = sql.raw(`
  id, to_address as "to", subject, state, attempts, created_at as "createdAt", sent_at as "sentAt", last_error as "lastError"`)

/** Each read of a mail is recorded. */
export const outboxDetail = command(settingsContract.outbox.detail, async (cx) => {
  const mail = await readMailDetail(cx, cx.input.mailId)
  await recordMailRead(cx, mail)
  return mail
})

/** Recorded once per user, mail and day, because an open page reloads after every event, including this one. */
async function recordMailRead(cx: Cx, { id, subject }: MailDetail): Promise<void> {
  const { tx, now, timezone } = cx
  const { userId } = requireUser(cx)
  const dayBegan = now.toZonedDateTimeISO(timezone).startOfDay().toInstant()
  const known = await tx.row(sql`
    select from audit_log where record_kind = 'mail' and record_id = ${id} and fact = 'OutboxMailRead'
      and actor_id = ${userId} and at >= ${dayBegan} limit 1`)
  if (known) return
  await record(cx, [{ type: "OutboxMailRead", record: { kind: "mail", id, label: subject }, groupId: null }])
}

/**
 * NOT_FOUND for an unknown mail. Shows a sign-in link, for the administrator to pass on, only if no mail server can
 * deliver it and no hold is active.
 */
export async function readMailDetail(cx: Pick<Cx, "app" | "tx" | "now">, mailId: string): Promise<MailDetail> {
  const { tx } = cx
  const mail = await tx.row<Omit<MailDetail, "allowedActions"> & { secret: string | null }>(sql`
    select ${mailColumns}, text_body as text, secret, attachments,
      case when state = 'queued' then next_attempt_at end as "nextAttemptAt"
    from mails where id = ${mailId}`)
  if (!mail) throw refused("NOT_FOUND", "This e-mail does not exist.")
  const { secret, text, ...rest } = mail
  const goesOut = await isMailEnabled(cx)
  const isReadable = mail.state === "kept" && !goesOut && (await readLinksHeldUntil(cx)) === null
  return {
    ...rest,
    text: isReadable ? insertSecret(text, secret) : text,
    allowedActions: mailActionsOf(mail.state, goesOut),
  }
}

export function mailActionsOf(state: MailState, goesOut: boolean): "retry"[] {
  return goesOut && state !== "sent" ? ["retry"] : []
}
