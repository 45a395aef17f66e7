import { Button } from "@mantine/core"
import { claimStatusNames } from "@milkwood/domain/claims/claim"
import { claimStepKeys } from "@milkwood/domain/claims/claim-steps"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link } from "@tanstack/react-router"
import { addressChoice } from "../../ui/address-choice.ts"
import { EmptyState } from "../../ui/empty-state.tsx"
import { LoadFailed } from "../../ui/load-failed.tsx"
import { RecordLoading } from "../../ui/record-page.tsx"
import { ClaimWizard } from "../claim-form/claim-wizard.tsx"
import { claimLink } from "../claim-table.tsx"
import { claimQuery } from "../claims.api.ts"

export const Route = createFileRoute("/_app/claims/$claimId/edit")({
  ...addressChoice("step", claimStepKeys),
  staticData: { permission: "claims.capture" },
  component: EditClaimPage,
})

function EditClaimPage() {
  const { claimId } = Route.useParams()
  const { step } = Route.useSearch()
  const claim = useQuery(claimQuery(claimId))
  if (claim.data?.allowedActions.includes("edit")) return <ClaimWizard key={claimId} step={step} start={claim.data} />
  if (claim.data) {
    return (
      <EmptyState
        title={`A claim that is "${claimStatusNames[claim.data.status]}" cannot be edited`}
        action={
          <Button variant="default" renderRoot={(props) => <Link {...props} {...claimLink({ id: claimId })} />}>
            View claim
          </Button>
        }
      >
        A manager can send a claim that is pending back, with a reason.
      </EmptyState>
    )
  }
  if (claim.isError) {
    return (
      <LoadFailed
        title="Failed to load claim data"
        notFound="Claim not found"
        error={claim.error}
        onRetry={claim.refetch}
      />
    )
  }
  return <RecordLoading words="Loading claim data..." />
}
