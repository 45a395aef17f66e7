import { api } from "../platform/api.ts"

/** How many of my notifications are unread: the number at the bell. */
export const unreadQuery = () => api.notifications.unread.queryOptions({ context: { background: true } })
