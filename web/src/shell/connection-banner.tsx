import { useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { api } from "../platform/api.ts"
import { useChannelBroken } from "../platform/channel.ts"
import { onReconnect, useConnection } from "../platform/connection.ts"
import { refreshSilently } from "../platform/live.ts"
import { InlineError } from "../ui/inline-error.tsx"

export function ConnectionBanner() {
  const connection = useConnection()
  const queryClient = useQueryClient()
  useEffect(() => onReconnect(() => void refreshSilently(queryClient, [api.key()])), [queryClient])
  const channelBroken = useChannelBroken()
  if (connection === "ok") {
    if (!channelBroken) return null
    return (
      <InlineError tone="warning" m="sm" mb={0}>
        Live updates are interrupted. Milkwood keeps trying to reconnect. Reload the page to see the latest changes.
      </InlineError>
    )
  }
  return (
    <InlineError tone="warning" m="sm" mb={0}>
      {connection === "offline"
        ? "You are offline. The page may be out of date, and you cannot save until you are online again. Your entries are kept."
        : "Milkwood cannot be reached at the moment and keeps trying to reconnect. Your entries are kept."}
    </InlineError>
  )
}
