import { useQuery } from "@tanstack/react-query"
import { Navigate } from "@tanstack/react-router"
import { useEffect } from "react"
import { errorText, refusalCode } from "../platform/errors.ts"
import { Authenticating } from "../ui/authenticating.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { usePageName } from "../ui/page-header.tsx"
import { toast } from "../ui/toast.tsx"
import { EntrancePage } from "./entrance-page.tsx"
import { DeadLink, useLinkToken } from "./link-page.tsx"

interface ConfirmedByLinkProps {
  name: string
  confirm: (token: string) => Promise<unknown>
  /** Message before the redirect to the site's root. */
  done: string
  /** Appended to the reason why a link no longer works. */
  deadLinkHint: string
  /** Other final refusals, by code. */
  refusals?: Record<string, string>
}

export function ConfirmedByLink({ name, confirm, done, deadLinkHint, refusals = {} }: ConfirmedByLinkProps) {
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
  if (confirmed.isPending) return <Authenticating />
  const code = refusalCode(confirmed.error) ?? ""
  if (code === "INVALID")
    return <DeadLink words="This link is incomplete. Open it from the e-mail again, or copy the whole link." />
  if (code === "LINK_INVALID") return <DeadLink words={`${errorText(confirmed.error)} ${deadLinkHint}`} />
  if (refusals[code]) return <DeadLink words={refusals[code]} />
  return (
    <EntrancePage title="One moment">
      <LoadFailed error={confirmed.error} onRetry={confirmed.refetch} busy={confirmed.isFetching} />
    </EntrancePage>
  )
}
