import type { Notification } from "@milkwood/domain/notifications/notifications.contract"
import { api } from "../platform/api.ts"
import { useCommand } from "../ui/use-command.ts"

export type InboxFilter = "all" | "unread"

export const latestQuery = () => api.notifications.inbox.queryOptions({ input: { limit: 10 } })

export const inboxQuery = (show: InboxFilter) =>
  api.notifications.inbox.infiniteOptions({
    input: (before: number | undefined) => ({ show, before }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ rows, hasMore }: { rows: Notification[]; hasMore: boolean }) =>
      hasMore ? rows.at(-1)?.id : undefined,
  })

export const useMarkNotification = () =>
  useCommand(api.notifications.mark, { failure: "Failed to update the notification" })
export const useMarkAllNotifications = () =>
  useCommand(api.notifications.markAll, { failure: "Failed to update the notifications" })
