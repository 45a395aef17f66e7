import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { api } from "../platform/api.ts"
import { useSession } from "../platform/session.ts"

export function useNextClaimForMe() {
  const { can } = useSession()
  const { data } = useQuery({
    ...api.claims.nextForMe.queryOptions({ input: {} }),
    enabled: can("claims.decide"),
  })
  const next = data?.next
  if (!next) return undefined
  return (
    <Button renderRoot={(props) => <Link {...props} to="/claims/$claimId/approve" params={{ claimId: next.id }} />}>
      {data.waiting === 1 ? "Decide the waiting claim" : `Decide ${data.waiting} waiting claims`}
    </Button>
  )
}
