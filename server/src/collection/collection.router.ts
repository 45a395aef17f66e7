import { listCollection } from "./collection-list.queries.ts"
import { listContacts } from "./contacts.queries.ts"
import { logCall } from "./log-call.ts"

export const collectionRouter = { list: listCollection, contacts: listContacts, logCall }
