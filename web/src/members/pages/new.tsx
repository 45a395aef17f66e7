import { type MemberStep, memberSteps } from "@milkwood/domain/members/member-form"
import { createFileRoute, type SearchSchemaInput } from "@tanstack/react-router"
import { addressChoice } from "../../ui/address-choice.ts"
import { addressParameters, textReader } from "../../ui/list-address.ts"
import { MemberWizard } from "../member-wizard.tsx"

const policy = addressParameters({ policyId: textReader })
const steps = addressChoice(
  "step",
  memberSteps.map(({ id }) => id),
)

export const Route = createFileRoute("/_app/members/new")({
  validateSearch: (raw: { step?: MemberStep; policyId?: string | undefined } & SearchSchemaInput) => ({
    ...steps.validateSearch(raw),
    ...policy.validateSearch(raw),
  }),
  staticData: { permission: "members.write" },
  component: NewMemberPage,
})

function NewMemberPage() {
  const { step, policyId } = Route.useSearch()
  return <MemberWizard step={step} {...(policyId ? { policyId } : {})} />
}
