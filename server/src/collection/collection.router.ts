import { listCollection } from "./collection-list.queries.ts"
import { listContacts } from "./contacts.queries.ts"
import { showGrace } from "./grace.queries.ts"
import { logCall } from "./log-call.ts"
import { mailDraft, remind, reminderText, sendNotice } from "./premium-mails.ts"
import { showStatement } from "./statement.queries.ts"

export const collectionRouter = {
  list: listCollection,
  contacts: listContacts,
  logCall,
  statement: showStatement,
  mailDraft,
  reminderText,
  remind,
  grace: showGrace,
  sendNotice,
}
