import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { LoadedRecord } from "../ui/loaded-record.tsx"
import { claimQuery } from "./claims.api.ts"

export function LoadedClaim({ claimId, children }: { claimId: string; children: (claim: ClaimDetail) => ReactNode }) {
  return (
    <LoadedRecord
      record={useQuery(claimQuery(claimId))}
      title="Claim"
      back={{ to: "/claims", label: "Back to Claims" }}
      loading="Loading claim data..."
      failed="Failed to load claim data"
      notFound="Claim not found"
    >
      {children}
    </LoadedRecord>
  )
}
