import { Button, Group } from "@mantine/core"
import type { LinkKind } from "@milkwood/domain/users/account-link"
import { useQuery } from "@tanstack/react-query"
import { Link, useLocation } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { client } from "../platform/api.ts"
import { errorTextOf, refusalCodeOf } from "../platform/errors.ts"
import { AuthenticatingScreen } from "../ui/authenticating.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { EntrancePage } from "./entrance-page.tsx"

/** The token is behind the #, so that no server receives it. */
export function useLinkToken(): string {
  const hash = useLocation({ select: (location) => location.hash })
  const [token] = useState(hash)
  return token
}

/** Reads a link without using it. */
export function useAccountLink(kind: LinkKind, token: string) {
  return useQuery({
    queryKey: ["link", kind, token],
    queryFn: () => client.users.link({ kind, token }, { context: { background: true } }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
}

/** A page for a pending or invalid link; undefined for a valid one. `renew`: where to get a new link. */
export function linkStateOf(link: ReturnType<typeof useAccountLink>, renew?: ReactNode) {
  if (link.isPending) return <AuthenticatingScreen />
  if (!link.isError) return undefined
  const code = refusalCodeOf(link.error)
  if (code === "LINK_INVALID" || code === "INVALID") {
    return (
      <InvalidLinkPage
        words={
          code === "INVALID"
            ? "This link is incomplete. Open it from the e-mail again, or copy the whole link."
            : errorTextOf(link.error)
        }
        renew={renew}
      />
    )
  }
  return (
    <EntrancePage title="One moment">
      <LoadFailed error={link.error} onRetry={link.refetch} busy={link.isFetching} />
    </EntrancePage>
  )
}

/** A link that was used, replaced, mistyped, or is too old. */
export function InvalidLinkPage({ words, renew }: { words: string; renew?: ReactNode }) {
  return (
    <EntrancePage title="This link does not work" words={words}>
      <Group gap="xs">
        {renew}
        <Button component={Link} to="/auth" variant={renew ? "default" : "filled"}>
          Go to sign in
        </Button>
      </Group>
    </EntrancePage>
  )
}
