import { useQuery } from "@tanstack/react-query"
import { Navigate } from "@tanstack/react-router"
import { useEffect } from "react"
import { errorTextOf, refusalCodeOf } from "../platform/errors.ts"
import { AuthenticatingScreen } from "../ui/authenticating.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { usePageName } from "../ui/page-header.tsx"
import { toast } from "../ui/toast.tsx"
import { EntrancePage } from "./entrance-page.tsx"
import { InvalidLinkPage, useLinkToken } from "./link-page.tsx"

interface LinkConfirmationProps {
  name: string
  confirm: (token: string) => Promise<unknown>
  /** Message before the redirect to the site's root. */
  done: string
  /** Appended to the reason why a link no longer works. */
  deadLinkHint: string
  /** Other final refusals, by code. */
  refusals?: Record<string, string>
}

export function LinkConfirmation({ name, confirm, done, deadLinkHint, refusals = {} }: LinkConfirmationProps) {
  usePageName(name)
  const token = useLinkToken()
  const confirmed = useQuery({
    queryKey: [name, token],
    queryFn: () => confirm(token),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  useEffect(() => {
    if (confirmed.isSuccess) toast.success(done)
  }, [confirmed.isSuccess, done])
  if (confirmed.isSuccess) return <Navigate to="/" replace />
  if (confirmed.isPending) return <AuthenticatingScreen />
  const code = refusalCodeOf(confirmed.error) ?? ""
  if (code === "INVALID")
    return <InvalidLinkPage words="This link is incomplete. Open it from the e-mail again, or copy the whole link." />
  if (code === "LINK_INVALID") return <InvalidLinkPage words={`${errorTextOf(confirmed.error)} ${deadLinkHint}`} />
  if (refusals[code]) return <InvalidLinkPage words={refusals[code]} />
  return (
    <EntrancePage title="One moment">
      <LoadFailed error={confirmed.error} onRetry={confirmed.refetch} busy={confirmed.isFetching} />
    </EntrancePage>
  )
}
