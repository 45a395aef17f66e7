import { choose, readChoices } from "./choices.ts"
import { readInbox, readUnread } from "./inbox.queries.ts"
import { markAllNotifications, markNotifications } from "./mark-read.ts"

export const notificationsRouter = {
  inbox: readInbox,
  unread: readUnread,
  mark: markNotifications,
  markAll: markAllNotifications,
  choices: readChoices,
  choose,
}
