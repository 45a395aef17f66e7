import { Center, Stack } from "@mantine/core"
import type { PermissionName } from "@milkwood/domain/platform/permission"
import type { Me } from "@milkwood/domain/users/users.contract"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Navigate, useRouter, useRouterState } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from "react"
import "../platform/keyboard.ts"
import { refusalCodeOf } from "../platform/errors.ts"
import { LiveUpdates } from "../platform/live.ts"
import { returnSearch, SessionContext, sessionQuery } from "../platform/session.ts"
import { AuthenticatingScreen } from "../ui/authenticating.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { usePageName } from "../ui/page-header.tsx"
import { toast } from "../ui/toast.tsx"
import { discardUnsaved, hasUnsavedInput } from "../ui/unsaved.ts"

const NoRolePage = lazy(() => import("../users/no-role-page.tsx"))
const SignInAgain = lazy(() => import("../users/sign-in-again.tsx"))

export function LoadFailedPage(failure: { error: unknown; onRetry: () => void; busy: boolean }) {
  usePageName("Milkwood failed to load")
  return (
    <Center component="main" mih="100dvh">
      <Stack gap={0} align="center">
        <h1 className="visually-hidden">Milkwood</h1>
        <LoadFailed title="Milkwood failed to load" {...failure} />
      </Stack>
    </Center>
  )
}

/**
 * Requires sign-in. Others are redirected to the sign-in page, replacing the history entry, and afterwards to the
 * requested page. An account without a role sees only its profile and an instructions page. If the session ends with
 * unsaved work, the page stays mounted but hidden until the same person signs in.
 */
export function SessionGuard({ children }: { children: ReactNode }) {
  const session = useQuery(sessionQuery)
  const path = useRouterState({ select: (state) => state.location.pathname })
  useEndedSession()
  const user = session.data
  const [person, setPerson] = useState<Me | null>(null)
  if (user && user !== person) setPerson(user)
  if (user === null && person && !hasUnsavedInput()) setPerson(null)
  const value = useMemo(
    () => person && { user: person, can: (permission: PermissionName) => person.can.includes(permission) },
    [person],
  )
  if (session.isPending) return <AuthenticatingScreen />
  if (user === undefined) {
    return <LoadFailedPage error={session.error} onRetry={session.refetch} busy={session.isFetching} />
  }
  if (!value) return <SignInRedirect />
  const ended = user === null
  const leave = () => {
    discardUnsaved()
    setPerson(null)
  }
  return (
    <SessionContext value={value} key={value.user.userId}>
      {ended ? (
        <Suspense fallback={<AuthenticatingScreen />}>
          <SignInAgain user={value.user} onLeave={leave} />
        </Suspense>
      ) : (
        <LiveUpdates />
      )}
      <div style={{ display: ended ? "none" : "contents" }}>
        {value.user.role === null && !path.startsWith("/profile") ? (
          <Suspense fallback={<AuthenticatingScreen />}>
            <NoRolePage />
          </Suspense>
        ) : (
          children
        )}
      </div>
    </SessionContext>
  )
}

function SignInRedirect() {
  const router = useRouter()
  // The initial address: during the redirect the location is already the sign-in page.
  const [state] = useState(() => returnSearch(router.state.location.href))
  return <Navigate to="/auth" state={state} replace />
}

function useEndedSession() {
  const queryClient = useQueryClient()
  useEffect(() => {
    const look = (error: unknown) => {
      if (refusalCodeOf(error) !== "UNAUTHENTICATED" || !queryClient.getQueryData(sessionQuery.queryKey)) return
      if (!hasUnsavedInput()) toast.error("Your session has ended. Please sign in again.", undefined, "Signed out")
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
