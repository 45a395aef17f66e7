import { listCollection } from "./collection-list.queries.ts"
import { listContacts } from "./contacts.queries.ts"
import { readGrace } from "./grace.queries.ts"
import { logCall } from "./log-call.ts"
import { readMailDraft, readReminderText, remind, sendNotice } from "./premium-mails.ts"
import { readStatement } from "./statement.queries.ts"

export const collectionRouter = {
  list: listCollection,
  contacts: listContacts,
  logCall,
  statement: readStatement,
  mailDraft: readMailDraft,
  reminderText: readReminderText,
  remind,
  grace: readGrace,
  sendNotice,
}
