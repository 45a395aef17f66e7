import type { PermissionName } from "@milkwood/domain/platform/permission"
import type { Me } from "@milkwood/domain/users/users.contract"
import { type QueryClient, type QueryKey, queryOptions, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { createContext, useCallback, useContext } from "react"
import { api, client } from "./api.ts"
import { refusalCodeOf } from "./errors.ts"

/** How often the session is checked (specification 1, section 9). */
const sessionCheckMs = 30_000

export interface Session {
  user: Me
  /** As answered by the server. */
  can: (permission: PermissionName) => boolean
}

export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error("useSession outside SessionGuard")
  return session
}

let lastActivityAt = 0
let lastReportedActivityAt = 0

if (typeof window !== "undefined") {
  const acted = () => {
    lastActivityAt = performance.now()
  }
  for (const event of ["keydown", "pointerdown"])
    window.addEventListener(event, acted, { passive: true, capture: true })
}

function wasActiveSinceLastCheck(): boolean {
  const acted = lastActivityAt > lastReportedActivityAt
  lastReportedActivityAt = performance.now()
  return acted
}

const sessionKey: QueryKey = api.users.me.queryKey()

/** null: not signed in. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ signal }): Promise<Me | null> => {
    try {
      return await client.users.me(undefined, { signal, context: { background: !wasActiveSinceLastCheck() } })
    } catch (error) {
      if (refusalCodeOf(error) === "UNAUTHENTICATED") return null
      throw error
    }
  },
  staleTime: sessionCheckMs,
  refetchInterval: (query) => (query.state.data ? sessionCheckMs : false),
})

export function clearCaches(queryClient: QueryClient) {
  queryClient.removeQueries({ type: "inactive" })
  queryClient.getMutationCache().clear()
}

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The page requested before sign-in. Kept in the history state, where no link can set it. */
    askedFor?: string
  }
}

let hasLoggedOut = false

/** After a deliberate logout, the next sign-in does not return to the old page. */
export function markLoggedOut() {
  hasLoggedOut = true
}

export function returnSearch(href: string): { askedFor?: string } {
  return hasLoggedOut || href === "/" ? {} : { askedFor: href }
}

/** A new visit returns to its requested page, also after an earlier logout. */
export function beginVisit() {
  hasLoggedOut = false
}

/** Reads the session after sign-in and replaces the sign-in page in the history with the requested page. */
export function useEnterSession() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useCallback(
    async (href = "/") => {
      beginVisit()
      clearCaches(queryClient)
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
      await navigate({ href, replace: true })
    },
    [queryClient, navigate],
  )
}
