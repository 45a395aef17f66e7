import { Center, Loader, Stack, Text } from "@mantine/core"
import type { PermissionName } from "@milkwood/domain/users/permission"
import type { Me } from "@milkwood/domain/users/users.contract"
import { type QueryClient, type QueryKey, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query"
import { Navigate, useNavigate, useRouterState } from "@tanstack/react-router"
import {
  createContext,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
} from "react"
import { api, client } from "../platform/api.ts"
import { LoadFailed } from "../ui/load-failed.tsx"
import { usePageName } from "../ui/page-header.tsx"
import { toast } from "../ui/toast.tsx"
import { holdsSomething, letGo } from "../ui/unsaved.ts"
import "../platform/cover.ts"
import { refusalCode } from "../platform/errors.ts"
import { LiveUpdates } from "../platform/live.ts"

const NoRolePage = lazy(() => import("../users/no-role-page.tsx"))
const SignInAgain = lazy(() => import("../users/sign-in-again.tsx"))

/** How often it is asked whether the session still holds (specification 1, section 9). */
const checkEveryMs = 30_000

export interface Session {
  user: Me
  /** Whether the server said that this person may; the screens work nothing out themselves. */
  can: (permission: PermissionName) => boolean
}

const SessionContext = createContext<Session | undefined>(undefined)

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

/** Shown while it is not known yet who is signed in. */
export function Authenticating() {
  return (
    <Center component="main" mih="100dvh" aria-busy="true">
      <Stack align="center" gap="sm" role="status">
        <Loader size="md" aria-hidden />
        <Text c="dimmed">Authenticating...</Text>
      </Stack>
    </Center>
  )
}

/** Shown where what every page stands on could not be loaded. */
export function MilkwoodAway(failure: { error: unknown; onRetry: () => void; busy: boolean }) {
  usePageName("Milkwood could not be opened")
  return (
    <Center component="main" mih="100dvh">
      <Stack gap={0} align="center">
        <h1 className="visually-hidden">Milkwood</h1>
        <LoadFailed title="Milkwood could not be opened" {...failure} />
      </Stack>
    </Center>
  )
}

/**
 * Lets signed-in people through. Everybody else goes to the sign-in page, in place of the page in the history; an
 * account without a role sees only its profile and the page that says what to do. A session that ends over unsaved work
 * leaves the page where it is, out of sight, until the same person has signed in again.
 */
export function SessionGuard({ children }: { children: ReactNode }) {
  const session = useQuery(sessionQuery)
  const path = useRouterState({ select: (state) => state.location.pathname })
  useEndedSession()
  const user = session.data
  const [person, setPerson] = useState<Me | null>(null)
  if (user && user !== person) setPerson(user)
  if (user === null && person && !holdsSomething()) setPerson(null)
  const value = useMemo(
    () => person && { user: person, can: (permission: PermissionName) => person.can.includes(permission) },
    [person],
  )
  if (session.isPending) return <Authenticating />
  if (user === undefined) {
    return <MilkwoodAway error={session.error} onRetry={session.refetch} busy={session.isFetching} />
  }
  if (!value) return <Navigate to="/auth" replace />
  const ended = user === null
  const leave = () => {
    letGo()
    setPerson(null)
  }
  return (
    <SessionContext value={value} key={value.user.userId}>
      {ended ? (
        <Suspense fallback={<Authenticating />}>
          <SignInAgain user={value.user} onLeave={leave} />
        </Suspense>
      ) : (
        <LiveUpdates />
      )}
      <div style={{ display: ended ? "none" : "contents" }}>
        {value.user.role === null && path !== "/profile" ? (
          <Suspense fallback={<Authenticating />}>
            <NoRolePage />
          </Suspense>
        ) : (
          children
        )}
      </div>
    </SessionContext>
  )
}

/** For the sign-in page: a signed-in person goes to the dashboard instead. */
export function GuestGuard({ children }: { children: ReactNode }) {
  const session = useQuery(sessionQuery)
  if (session.isPending) return <Authenticating />
  return session.data ? <Navigate to="/" replace /> : children
}

/** Any call that is refused because nobody is signed in (any more) makes the guard ask again. */
function useEndedSession() {
  const queryClient = useQueryClient()
  useEffect(() => {
    const look = (error: unknown) => {
      if (refusalCode(error) !== "UNAUTHENTICATED" || !queryClient.getQueryData(sessionQuery.queryKey)) return
      if (!holdsSomething()) toast.error("Your session has ended. Please sign in again.", undefined, "Signed out")
      queryClient.setQueryData(sessionQuery.queryKey, null)
    }
    const queries = queryClient.getQueryCache().subscribe((event) => {
      if (event.type === "updated" && event.action.type === "error") look(event.action.error)
    })
    const mutations = queryClient.getMutationCache().subscribe((event) => {
      if (event.type === "updated" && event.action.type === "error") look(event.action.error)
    })
    return () => {
      queries()
      mutations()
    }
  }, [queryClient])
}

/** Nothing of the person before is left for the next one; what the page on screen itself shows stays. */
function forgetEverything(queryClient: QueryClient) {
  queryClient.removeQueries({ type: "inactive" })
  queryClient.getMutationCache().clear()
}

/** Asks who is signed in now and goes to the dashboard, in place of the page in the history. */
export function useEnter() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useCallback(async () => {
    forgetEverything(queryClient)
    await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
    await navigate({ to: "/", replace: true })
  }, [queryClient, navigate])
}

/** Logs out everywhere (scope=global) and goes to the sign-in page. */
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
    letGo()
    queryClient.setQueryData(sessionQuery.queryKey, null)
    await navigate({ to: "/auth", replace: true })
    forgetEverything(queryClient)
  }, [queryClient, navigate])
}
