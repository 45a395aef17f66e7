import { useQuery } from "@tanstack/react-query"
import { createFileRoute } from "@tanstack/react-router"
import { employerQuery } from "../../employers/employers.api.ts"
import { listAddress, textReader, useListPlace } from "../../ui/list-address.ts"
import { RecordLoading } from "../../ui/record-page.tsx"
import { draftDefaultsQuery } from "../policies.api.ts"
import { policyMembersList, wizardTabs } from "../policy-places.ts"
import { PolicyWizard } from "../policy-wizard.tsx"

export const Route = createFileRoute("/_app/policies/new")({
  ...listAddress(policyMembersList, { groupId: textReader }, wizardTabs),
  staticData: { permission: "policies.write" },
  component: NewPolicyPage,
})

function NewPolicyPage() {
  const search = Route.useSearch()
  const list = useListPlace(search)
  const defaults = useQuery(draftDefaultsQuery())
  const group = useQuery({ ...employerQuery(search.groupId ?? ""), enabled: search.groupId !== undefined })
  if (defaults.isPending || group.isLoading) return <RecordLoading words="Loading..." />
  // The form also works without the defaults.
  return <PolicyWizard list={list} {...(defaults.data && { defaults: { ...defaults.data, group: group.data } })} />
}
