import { firstIncompleteStep } from "@milkwood/domain/policies/policy-form"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, linkOptions, Navigate } from "@tanstack/react-router"
import { flagReader, listAddress, useListPlace } from "../../ui/list-address.ts"
import { LoadedRecord } from "../../ui/loaded-record.tsx"
import { policyQuery } from "../policies.api.ts"
import { policyMembersList, wizardTabs } from "../policy-places.ts"
import { PolicyWizard } from "../policy-wizard.tsx"

export const Route = createFileRoute("/_app/policies/$policyId/edit")({
  // `goOn` opens the first incomplete step, for callers that do not know it.
  ...listAddress(policyMembersList, { goOn: flagReader }, wizardTabs),
  staticData: { permission: "policies.write" },
  component: EditDraftPage,
})

/** Redirects if the policy is no longer a draft. */
function EditDraftPage() {
  const { policyId } = Route.useParams()
  const { goOn } = Route.useSearch()
  const list = useListPlace(Route.useSearch())
  return (
    <LoadedRecord
      record={useQuery(policyQuery(policyId))}
      title="New policy"
      back={{ ...linkOptions({ to: "/policies" }), label: "Back to Policies" }}
      loading="Loading policy..."
      failed="Failed to load policy"
      notFound="Policy not found"
    >
      {(policy) =>
        policy.status === "Draft" && goOn ? (
          <Navigate to="." search={{ tab: firstIncompleteStep(policy.missing) }} replace />
        ) : policy.status === "Draft" ? (
          <PolicyWizard key={policyId} draft={policy} list={list} />
        ) : (
          <Navigate to="/policies/$policyId" params={{ policyId }} replace />
        )
      }
    </LoadedRecord>
  )
}
