import { api } from "../platform/api.ts"

export const unreadQuery = () => api.notifications.unread.queryOptions({ context: { background: true } })
