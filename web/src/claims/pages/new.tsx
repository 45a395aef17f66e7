import { createFileRoute } from "@tanstack/react-router"
import { addressChoice } from "../../ui/address-choice.ts"
import { ClaimWizard, stepKeys } from "../claim-form/claim-wizard.tsx"

export const Route = createFileRoute("/_app/claims/new")({
  ...addressChoice("step", stepKeys),
  staticData: { permission: "claims.capture" },
  component: NewClaimPage,
})

function NewClaimPage() {
  return <ClaimWizard step={Route.useSearch().step} />
}
