import type { ClaimDetail } from "@milkwood/domain/claims/claims.contract"
import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { LoadFailed } from "../ui/load-failed.tsx"
import { PageHeader } from "../ui/page-header.tsx"
import { RecordLoading } from "../ui/record-page.tsx"
import { claimQuery } from "./claims.api.ts"

/** A claim for its pages: loading, missing and failed loads are said the same way on each. */
export function LoadedClaim({ claimId, children }: { claimId: string; children: (claim: ClaimDetail) => ReactNode }) {
  const claim = useQuery(claimQuery(claimId))
  if (claim.data) return children(claim.data)
  if (claim.isPending) return <RecordLoading words="Loading claim data..." />
  return (
    <>
      <PageHeader title="Claim" back={{ to: "/claims", label: "Back to Claims" }} />
      <LoadFailed
        title="Failed to load claim data"
        notFound="Claim not found"
        error={claim.error}
        onRetry={claim.refetch}
        busy={claim.isFetching}
      />
    </>
  )
}
