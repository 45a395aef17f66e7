import { Button } from "@mantine/core"
import { claimStatusNames, claimStepKeys } from "@milkwood/domain/claims/claim"
import { createFileRoute, Link } from "@tanstack/react-router"
import { addressChoice } from "../../ui/address-choice.ts"
import { EmptyState } from "../../ui/empty-state.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { ClaimWizard } from "../claim-form/claim-wizard.tsx"
import { claimLink } from "../claim-table.tsx"
import { LoadedClaim } from "../loaded-claim.tsx"

export const Route = createFileRoute("/_app/claims/$claimId/edit")({
  ...addressChoice("step", claimStepKeys),
  staticData: { permission: "claims.capture" },
  component: EditClaimPage,
})

function EditClaimPage() {
  const { claimId } = Route.useParams()
  const { step } = Route.useSearch()
  return (
    <LoadedClaim claimId={claimId}>
      {(claim) =>
        claim.allowedActions.includes("edit") ? (
          <ClaimWizard key={claimId} step={step} start={claim} />
        ) : (
          <>
            <PageHeader title={claim.number} back={{ ...claimLink(claim), label: "Back to the claim" }} />
            <EmptyState
              title={`A claim that is "${claimStatusNames[claim.status]}" cannot be edited`}
              action={
                <Button variant="default" renderRoot={(props) => <Link {...props} {...claimLink(claim)} />}>
                  View claim
                </Button>
              }
            >
              A manager can send a pending claim back, with a reason.
            </EmptyState>
          </>
        )
      }
    </LoadedClaim>
  )
}
