import { z } from "zod"
import { instant } from "../kernel/calendar-shape.ts"
import { read, write } from "../kernel/procedure.ts"
import { channels, type NotificationKind, notificationKinds } from "./notification.ts"

const tags = ["Notifications"]

const kind = z.enum(Object.keys(notificationKinds) as [NotificationKind, ...NotificationKind[]])
const unread = z.object({ unread: z.int() })

export const notification = z.object({
  /** Rises with time. */
  id: z.int(),
  kind,
  /** What happened, in a sentence. */
  text: z.string(),
  /** The employer that it is about. */
  groupName: z.string().nullable(),
  /** The page on which something is done about it. */
  path: z.string(),
  at: instant,
  isRead: z.boolean(),
  /** Somebody has done it meanwhile. */
  isDone: z.boolean(),
})
export type Notification = z.infer<typeof notification>

export const choice = z.object({ kind, label: z.string(), when: z.string(), channel: z.enum(channels) })
export type Choice = z.infer<typeof choice>

/** What a person is told, each their own alone. */
export const notificationsContract = {
  /**
   * One's own notifications, the newest first; `before` goes on from a page's last one. What is about a group that the
   * reader no longer sees, or of a kind that their role has no part in, is left out.
   */
  inbox: read("session")
    .route({ method: "GET", path: "/notifications", summary: "List my notifications", tags })
    .input(
      z.object({
        show: z.enum(["all", "unread"]).default("all"),
        before: z.coerce.number().int().min(1).optional(),
        limit: z.coerce.number().int().min(1).max(100).default(30),
      }),
    )
    .output(unread.extend({ rows: z.array(notification), hasMore: z.boolean() })),

  /** How many of one's own are neither read nor done. */
  unread: read("session")
    .route({ method: "GET", path: "/notifications/unread", summary: "Count my unread notifications", tags })
    .output(unread),

  /** Marks some of one's own as read, or as unread again; other people's ids change nothing. */
  mark: write("session")
    .route({ method: "POST", path: "/notifications/mark", summary: "Mark notifications as read", tags })
    .input(z.object({ ids: z.array(z.int()).min(1).max(100), isRead: z.boolean() }))
    .output(unread),

  /** Marks as read what the reader has seen: everything up to this one. What came since stays unread. */
  markAll: write("session")
    .route({ method: "POST", path: "/notifications/mark-all", summary: "Mark all my notifications as read", tags })
    .input(z.object({ upTo: z.int() }))
    .output(unread),

  /** How one wants to hear of each kind that one's role has a part in. */
  choices: read("session")
    .route({ method: "GET", path: "/notifications/choices", summary: "Show how I am notified", tags })
    .output(z.array(choice)),

  /** Chooses for a kind. In effect for what happens from now on. FORBIDDEN for a kind that one's role has no part in. */
  choose: write("session")
    .route({ method: "PUT", path: "/notifications/choices/{kind}", summary: "Choose how I am notified", tags })
    .input(z.object({ kind, channel: z.enum(channels) }))
    .output(z.array(choice)),
}
