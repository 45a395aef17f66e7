import { z } from "zod"
import { instant } from "../kernel/calendar-shape.ts"
import { readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { channels, type NotificationKind, notificationKinds } from "./notification.ts"

const tags = ["Notifications"]

const kind = z.enum(Object.keys(notificationKinds) as [NotificationKind, ...NotificationKind[]])
const unread = z.object({ unread: z.int() })

export const notification = z.object({
  /** Increases with time. */
  id: z.int(),
  kind,
  text: z.string(),
  groupName: z.string().nullable(),
  /** The page where the user can act. */
  path: z.string(),
  at: instant,
  isRead: z.boolean(),
  /** No further action is needed. */
  isDone: z.boolean(),
})
export type Notification = z.infer<typeof notification>

export const choice = z.object({ kind, label: z.string(), when: z.string(), channel: z.enum(channels) })
export type Choice = z.infer<typeof choice>

/** The user's own notifications. */
export const notificationsContract = {
  /**
   * The user's notifications, newest first; `before` is the id of the previous page's last row. Excludes groups that
   * the user no longer sees and kinds outside the user's role.
   */
  inbox: readProcedure("session")
    .route({ method: "GET", path: "/notifications", summary: "List my notifications", tags })
    .input(
      z.object({
        show: z.enum(["all", "unread"]).default("all"),
        before: z.coerce.number().int().min(1).optional(),
        limit: z.coerce.number().int().min(1).max(100).default(30),
      }),
    )
    .output(unread.extend({ rows: z.array(notification), hasMore: z.boolean() })),

  /** Own notifications that are neither read nor done. */
  unread: readProcedure("session")
    .route({ method: "GET", path: "/notifications/unread", summary: "Count my unread notifications", tags })
    .output(unread),

  /** Marks own notifications as read or unread; foreign ids are ignored. */
  mark: writeProcedure("session")
    .route({ method: "POST", path: "/notifications/mark", summary: "Mark notifications as read", tags })
    .input(z.object({ ids: z.array(z.int()).min(1).max(100), isRead: z.boolean() }))
    .output(unread),

  /** Marks everything up to this id as read; newer ones stay unread. */
  markAll: writeProcedure("session")
    .route({ method: "POST", path: "/notifications/mark-all", summary: "Mark all my notifications as read", tags })
    .input(z.object({ upTo: z.int() }))
    .output(unread),

  /** The channel per kind of the user's role. */
  choices: readProcedure("session")
    .route({ method: "GET", path: "/notifications/choices", summary: "Read my notification settings", tags })
    .output(z.array(choice)),

  /** Sets the channel of a kind, for future notifications. FORBIDDEN for a kind outside the user's role. */
  choose: writeProcedure("session")
    .route({ method: "PUT", path: "/notifications/choices/{kind}", summary: "Edit my notification settings", tags })
    .input(z.object({ kind, channel: z.enum(channels) }))
    .output(z.array(choice)),
}
