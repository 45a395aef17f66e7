import { type ClaimStep, claimStepKeys } from "@milkwood/domain/claims/claim"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, type SearchSchemaInput } from "@tanstack/react-router"
import { useRef } from "react"
import { addressChoice } from "../../ui/address-choice.ts"
import { addressParameters, textReader } from "../../ui/list-address.ts"
import { RecordLoading } from "../../ui/record-page.tsx"
import { ClaimWizard } from "../claim-form/claim-wizard.tsx"
import { claimantQuery } from "../claim-form/member-step.tsx"

const member = addressParameters({ memberId: textReader })
const claimSteps = addressChoice("step", claimStepKeys)

export const Route = createFileRoute("/_app/claims/new")({
  ...claimSteps,
  validateSearch: (raw: { step?: ClaimStep; memberId?: string | undefined } & SearchSchemaInput) => ({
    ...claimSteps.validateSearch(raw),
    ...member.validateSearch(raw),
  }),
  staticData: { permission: "claims.capture" },
  component: NewClaimPage,
})

/** A member in the address who cannot claim is ignored. */
function NewClaimPage() {
  const { step, memberId = null } = Route.useSearch()
  const given = useQuery(claimantQuery(memberId))
  const open = useRef(false)
  open.current ||= memberId === null || !given.isPending
  if (!open.current) return <RecordLoading words="Loading member..." />
  return <ClaimWizard step={step} memberId={given.data?.[0]?.id} />
}
