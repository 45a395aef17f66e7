import { useQuery } from "@tanstack/react-query"
import { createFileRoute } from "@tanstack/react-router"
import { listAddress, useListPlace } from "../../ui/list-address.ts"
import { RecordLoading } from "../../ui/record-page.tsx"
import { draftDefaultsQuery } from "../policies.api.ts"
import { policyMembersList, wizardTabs } from "../policy-places.ts"
import { PolicyWizard } from "../policy-wizard.tsx"

export const Route = createFileRoute("/_app/policies/new")({
  ...listAddress(policyMembersList, {}, wizardTabs),
  staticData: { permission: "policies.write" },
  component: NewPolicyPage,
})

/** A policy to be; its first save gives it a number and an address of its own. */
function NewPolicyPage() {
  const list = useListPlace(Route.useSearch())
  const defaults = useQuery(draftDefaultsQuery())
  if (defaults.isPending) return <RecordLoading words="Loading..." />
  // Without them the form asks for what they would have offered.
  return <PolicyWizard list={list} {...(defaults.data && { defaults: defaults.data })} />
}
