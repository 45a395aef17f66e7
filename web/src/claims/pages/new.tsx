import { claimStepKeys } from "@milkwood/domain/claims/claim-steps"
import { createFileRoute } from "@tanstack/react-router"
import { addressChoice } from "../../ui/address-choice.ts"
import { ClaimWizard } from "../claim-form/claim-wizard.tsx"

export const Route = createFileRoute("/_app/claims/new")({
  ...addressChoice("step", claimStepKeys),
  staticData: { permission: "claims.capture" },
  component: NewClaimPage,
})

function NewClaimPage() {
  return <ClaimWizard step={Route.useSearch().step} />
}
