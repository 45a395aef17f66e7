import { instant, list, status, text } from "../kernel/list.ts"
import { mailStateNames, mailStates } from "../platform/mail-states.ts"

/** Newest first. */
export const outboxList = list({
  key: "outbox",
  noun: { one: "e-mail", many: "e-mails" },
  permission: "outbox.read",
  order: "-createdAt",
  search: "Search address or subject",
  tabs: {
    by: "state",
    views: {
      all: { label: "All", values: mailStates },
      queued: { label: mailStateNames.queued, values: ["queued"] },
      sent: { label: mailStateNames.sent, values: ["sent"] },
      kept: { label: mailStateNames.kept, values: ["kept"] },
      failed: { label: mailStateNames.failed, values: ["failed"] },
    },
  },
  columns: {
    createdAt: instant("Created", { sort: true }),
    to: text("To", { sort: true }),
    subject: text("Subject", { sort: true }),
    state: status("Status", mailStateNames),
    sentAt: instant("Delivered"),
  },
})
