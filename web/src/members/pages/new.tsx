import { type MemberStep, memberSteps } from "@milkwood/domain/members/member-form"
import { createFileRoute, type SearchSchemaInput } from "@tanstack/react-router"
import { addressChoice } from "../../ui/address-choice.ts"
import { textReader } from "../../ui/list-address.ts"
import { MemberWizard } from "../member-wizard.tsx"

const steps = addressChoice(
  "step",
  memberSteps.map(({ id }) => id),
)

export const Route = createFileRoute("/_app/members/new")({
  validateSearch: (raw: { step?: MemberStep; policyId?: string } & SearchSchemaInput) => {
    const policyId = textReader(raw.policyId)
    return { step: steps.validateSearch(raw).step, ...(policyId ? { policyId } : {}) }
  },
  staticData: { permission: "members.write" },
  component: NewMemberPage,
})

function NewMemberPage() {
  const { step, policyId } = Route.useSearch()
  return <MemberWizard step={step} {...(policyId ? { policyId } : {})} />
}
