import type { MailRow } from "@milkwood/domain/settings/settings.contract"
import { client } from "../platform/api.ts"
import type { BulkStep } from "../ui/data-table/types.ts"

export const mailBulkSteps: readonly BulkStep<MailRow>[] = [
  {
    label: "Deliver again",
    done: "queued again",
    room: "settings",
    may: ({ allowedActions }) => allowedActions.includes("retry"),
    name: ({ subject, to }) => `${subject} to ${to}`,
    question: (rows) => ({
      title: rows.length === 1 ? "Deliver 1 mail again?" : `Deliver ${rows.length} mails again?`,
      words: "Each is due at once, as it was written.",
    }),
    run: ({ id }) => client.settings.outbox.retry({ mailId: id }),
  },
]
