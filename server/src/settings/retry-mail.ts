import type { MailState } from "@milkwood/domain/platform/mail-states"
import { settingsContract } from "@milkwood/domain/settings/settings.contract"
import { sql } from "drizzle-orm"
import { command, refused } from "../platform/calls/commands.ts"
import { record } from "../platform/trail/facts.ts"
import { isMailEnabled } from "../platform/work/mail-server.ts"
import { readMailDetail } from "./outbox.queries.ts"

/** Queues an unsent mail as due now and resets its attempts. */
export const retryMail = command(settingsContract.outbox.retry, async (cx) => {
  const { tx, input } = cx
  const mail = await tx.row<{ state: MailState; subject: string; groupId: string | null }>(sql`
    select state, subject, group_id as "groupId" from mails where id = ${input.mailId} for update skip locked`)
  if (!mail) {
    // The row stays locked during delivery to the mail server.
    if (await tx.row(sql`select 1 from mails where id = ${input.mailId}`))
      throw refused("BUSY", "This e-mail is being sent at the moment.")
    throw refused("NOT_FOUND", "This e-mail does not exist.")
  }
  if (mail.state === "sent") throw refused("ALREADY_SENT")
  if (!(await isMailEnabled(cx))) throw refused("NO_SMTP")
  await tx.run(sql`
    update mails set state = 'queued', attempts = 0, next_attempt_at = clock_timestamp() where id = ${input.mailId}`)
  await tx.run(sql`notify milkwood_mails`)
  await record(cx, [
    {
      type: "MailRetried",
      record: { kind: "mail", id: input.mailId, label: mail.subject },
      groupId: mail.groupId,
    },
  ])
  return readMailDetail(cx, input.mailId)
})
