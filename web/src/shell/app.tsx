import type { PermissionName } from "@milkwood/domain/platform/permission"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Outlet, useMatches, useParams } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { api } from "../platform/api.ts"
import { sessionQuery, useSession } from "../platform/session.ts"
import { AuthenticatingScreen } from "../ui/authenticating.tsx"
import { ConfirmProvider } from "../ui/confirm.tsx"
import { DisplayProvider } from "../ui/display.tsx"
import { NoAccessPage, NotFoundInAppPage } from "../ui/plain-page.tsx"
import { Frame } from "./frame.tsx"
import { ProofPrompt } from "./proof.tsx"
import { LoadFailedPage, SessionGuard } from "./session.tsx"

export const Route = createFileRoute("/_app")({
  loader: ({ context: { queryClient } }) => {
    void queryClient.fetchQuery(sessionQuery).then(
      (me) => me && queryClient.prefetchQuery(displayQuery()),
      () => {},
    )
  },
  component: App,
})

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    /** A user without this permission sees "You do not have access to this page". */
    permission?: PermissionName
  }
}

function App() {
  return (
    <SessionGuard>
      <DisplaySettings>
        <Frame>
          <Page />
        </Frame>
        <ProofPrompt />
      </DisplaySettings>
    </SessionGuard>
  )
}

function Page() {
  const { can } = useSession()
  const asked = useMatches({ select: (matches) => matches.map((match) => match.staticData.permission) })
  const namesRecord = useParams({
    strict: false,
    select: (params) =>
      Object.entries(params).every(([name, id]) => !name.endsWith("Id") || uuidPattern.test(String(id))),
  })
  const allowed = asked.every((permission) => permission === undefined || can(permission))
  if (!allowed) return <NoAccessPage />
  // An invalid record id gets the not-found page.
  return namesRecord ? <Outlet /> : <NotFoundInAppPage />
}

const uuidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

const displayQuery = () => ({ ...api.settings.display.queryOptions(), staleTime: 60_000 })

function DisplaySettings({ children }: { children: ReactNode }) {
  const display = useQuery(displayQuery())
  if (display.isPending) return <AuthenticatingScreen />
  if (!display.data) {
    return <LoadFailedPage error={display.error} onRetry={display.refetch} busy={display.isFetching} />
  }
  const { dateFormat, maxFileMegabytes, allowedFileTypes, organisationName: _, ...shown } = display.data
  const files = { megabytes: maxFileMegabytes, types: allowedFileTypes }
  return (
    <DisplayProvider value={{ ...shown, dayFormat: dateFormat, files }}>
      <ConfirmProvider>{children}</ConfirmProvider>
    </DisplayProvider>
  )
}
