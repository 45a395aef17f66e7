import { useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { api } from "../platform/api.ts"
import { useChannelBroken } from "../platform/channel.ts"
import { onBack, useConnection } from "../platform/connection.ts"
import { refreshSilently } from "../platform/live.ts"
import { InlineError } from "../ui/inline-error.tsx"

export function ConnectionBanner() {
  const connection = useConnection()
  const queryClient = useQueryClient()
  useEffect(() => onBack(() => void refreshSilently(queryClient, [api.key()])), [queryClient])
  const channelBroken = useChannelBroken()
  if (connection === "ok") {
    if (!channelBroken) return null
    return (
      <InlineError tone="warning" m="sm" mb={0}>
        Changes by others are not shown at the moment. Milkwood keeps trying to reconnect; reload to see what is new.
      </InlineError>
    )
  }
  return (
    <InlineError tone="warning" m="sm" mb={0}>
      {connection === "offline"
        ? "There is no network. What you see may be out of date, and nothing can be saved until it is back. What you typed is kept."
        : "Milkwood cannot be reached at the moment. It keeps trying to reconnect. What you typed is kept."}
    </InlineError>
  )
}
