import { useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useCallback } from "react"
import { client } from "../platform/api.ts"
import { clearCaches, markLoggedOut, sessionQuery } from "../platform/session.ts"
import { toast } from "../ui/toast.tsx"
import { discardUnsaved } from "../ui/unsaved.ts"

/** Logs out everywhere (scope=global). */
export function useLogOut() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useCallback(async () => {
    try {
      await client.users.signOut({ scope: "global" })
    } catch (error) {
      toast.error("You are still signed in.", error)
      return
    }
    discardUnsaved()
    markLoggedOut()
    queryClient.setQueryData(sessionQuery.queryKey, null)
    await navigate({ to: "/auth", replace: true })
    clearCaches(queryClient)
  }, [queryClient, navigate])
}
