import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Navigate } from "@tanstack/react-router"
import { useEffect } from "react"
import { client } from "../../platform/api.ts"
import { errorText, refusalCode } from "../../platform/errors.ts"
import { Authenticating } from "../../ui/authenticating.tsx"
import { LoadFailed } from "../../ui/load-failed.tsx"
import { usePageName } from "../../ui/page-header.tsx"
import { toast } from "../../ui/toast.tsx"
import { EntrancePage } from "../entrance-page.tsx"
import { DeadLink, useLinkToken } from "../link-page.tsx"

export const Route = createFileRoute("/confirm-new-email")({ component: ConfirmNewEmailPage })

/** Confirms another address of an account by its link, and goes on to the site's root. */
function ConfirmNewEmailPage() {
  usePageName("Confirm new e-mail address")
  const token = useLinkToken()
  const confirmed = useQuery({
    queryKey: ["confirm-new-email", token],
    queryFn: () => client.users.confirmNewEmail({ token }, { context: { background: true } }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  useEffect(() => {
    if (confirmed.isSuccess) toast.success("Your e-mail address is changed. From now on you sign in with it.")
  }, [confirmed.isSuccess])
  if (confirmed.isSuccess) return <Navigate to="/" replace />
  if (confirmed.isPending) return <Authenticating />
  const code = refusalCode(confirmed.error)
  if (code === "INVALID")
    return <DeadLink words="This link is not complete. Open it from the mail once more, or copy all of it." />
  if (code === "LINK_INVALID") {
    return <DeadLink words={`${errorText(confirmed.error)} If you followed it before, sign in with the new address.`} />
  }
  if (code === "USER_ALREADY_REGISTERED") {
    return <DeadLink words="Another account has this address by now. Yours stays as it was." />
  }
  return (
    <EntrancePage title="One moment">
      <LoadFailed error={confirmed.error} onRetry={confirmed.refetch} busy={confirmed.isFetching} />
    </EntrancePage>
  )
}
