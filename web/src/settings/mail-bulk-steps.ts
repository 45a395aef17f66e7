import type { MailRow } from "@milkwood/domain/settings/settings.contract"
import { client } from "../platform/api.ts"
import type { BulkStep } from "../ui/data-table/types.ts"

export const mailBulkSteps: readonly BulkStep<MailRow>[] = [
  {
    label: "Send again",
    done: "queued again",
    room: "settings",
    may: ({ allowedActions }) => allowedActions.includes("retry"),
    name: ({ subject, to }) => `${subject} to ${to}`,
    question: (rows) => ({
      title: rows.length === 1 ? "Send 1 e-mail again?" : `Send ${rows.length} e-mails again?`,
      words: "They are sent immediately, unchanged.",
    }),
    run: ({ id }) => client.settings.outbox.retry({ mailId: id }),
  },
]
