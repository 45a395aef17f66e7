import type { PermissionName } from "@milkwood/domain/platform/permission"
import type { Me } from "@milkwood/domain/users/users.contract"
import { type QueryClient, type QueryKey, queryOptions, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { createContext, useCallback, useContext } from "react"
import { api, client } from "./api.ts"
import { refusalCode } from "./errors.ts"

/** How often it is asked whether the session still holds (specification 1, section 9). */
const checkEveryMs = 30_000

/** Who is signed in, and what they may do. */
export interface Session {
  user: Me
  /** Whether the server said that this person may; the screens work nothing out themselves. */
  can: (permission: PermissionName) => boolean
}

/** Given by the guard of the shell. */
export const SessionContext = createContext<Session | undefined>(undefined)

/** The signed-in person. Only inside the guard. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error("useSession outside SessionGuard")
  return session
}

let lastActAt = 0
let lastTold = 0

if (typeof window !== "undefined") {
  const acted = () => {
    lastActAt = performance.now()
  }
  for (const event of ["keydown", "pointerdown"])
    window.addEventListener(event, acted, { passive: true, capture: true })
}

/** Somebody who types a long text does something too, without a call: the next check then counts as theirs. */
function actedSinceLastCheck(): boolean {
  const acted = lastActAt > lastTold
  lastTold = performance.now()
  return acted
}

const sessionKey: QueryKey = api.users.me.queryKey()

/** Who is signed in; null is nobody. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ signal }): Promise<Me | null> => {
    try {
      return await client.users.me(undefined, { signal, context: { background: !actedSinceLastCheck() } })
    } catch (error) {
      if (refusalCode(error) === "UNAUTHENTICATED") return null
      throw error
    }
  },
  staleTime: checkEveryMs,
  refetchInterval: (query) => (query.state.data ? checkEveryMs : false),
})

/** Nothing of the person before is left for the next one; what the page on screen itself shows stays. */
export function forgetEverything(queryClient: QueryClient) {
  queryClient.removeQueries({ type: "inactive" })
  queryClient.getMutationCache().clear()
}

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The page that was asked for before signing in, with its search: in the history, where no link can set it. */
    askedFor?: string
  }
}

let hasLoggedOut = false

/** Who logs out goes to no page afterwards, whoever signs in next. */
export function logOutByChoice() {
  hasLoggedOut = true
}

/** What the sign-in page is to know of the page that somebody was sent away from. */
export function askedFor(href: string): { askedFor?: string } {
  return hasLoggedOut || href === "/" ? {} : { askedFor: href }
}

/** Asks who is signed in now and goes to the page that was asked for, in place of the sign-in page in the history. */
export function useEnter() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useCallback(
    async (href = "/") => {
      hasLoggedOut = false
      forgetEverything(queryClient)
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
      await navigate({ href, replace: true })
    },
    [queryClient, navigate],
  )
}
