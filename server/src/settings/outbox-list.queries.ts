import { outboxList } from "@milkwood/domain/settings/outbox.list"
import { type MailRow, settingsContract } from "@milkwood/domain/settings/settings.contract"
import { sql } from "drizzle-orm"
import { query } from "../platform/calls/commands.ts"
import { matchesPattern } from "../platform/database/like.ts"
import { List } from "../platform/lists/list.ts"
import { isMailEnabled } from "../platform/work/mail-server.ts"
import { mailActionsOf } from "./outbox.queries.ts"

export const outbox = new List<typeof outboxList, MailRow>(outboxList, {
  select: () => sql`
    select m.id, m.to_address as "to", m.subject, m.state, m.attempts, m.created_at as "createdAt",
      m.sent_at as "sentAt", m.last_error as "lastError", lower(m.to_address) as _to, lower(m.subject) as _subject
    from mails m`,
  search: (pattern) => [
    { like: matchesPattern(sql`s._to`, pattern) },
    { like: matchesPattern(sql`s._subject`, pattern) },
  ],
  sortColumns: { to: ["_to"], subject: ["_subject"] },
  present: (row: Omit<MailRow, "allowedActions">, { goesOut }: { goesOut: boolean }) => ({
    ...row,
    allowedActions: mailActionsOf(row.state, goesOut),
  }),
})

export const listMails = query(settingsContract.outbox.list, async (cx) =>
  outbox.page(cx, cx.input, { goesOut: await isMailEnabled(cx) }),
)
