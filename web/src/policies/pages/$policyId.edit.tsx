import { useQuery } from "@tanstack/react-query"
import { createFileRoute, linkOptions, Navigate } from "@tanstack/react-router"
import { listAddress, useListPlace } from "../../ui/list-address.ts"
import { LoadFailed } from "../../ui/load-failed.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { RecordLoading } from "../../ui/record-page.tsx"
import { policyQuery } from "../policies.api.ts"
import { memberSorts, wizardTabs } from "../policy-places.ts"
import { PolicyWizard } from "../policy-wizard.tsx"

export const Route = createFileRoute("/_app/policies/$policyId/edit")({
  ...listAddress({ sorts: memberSorts, defaultSort: "name", tabs: wizardTabs }),
  staticData: { permission: "policies.write" },
  component: EditDraftPage,
})

/** A draft that is gone on with. A policy that is no longer one is shown instead. */
function EditDraftPage() {
  const { policyId } = Route.useParams()
  const list = useListPlace(Route.useSearch())
  const policy = useQuery(policyQuery(policyId))
  if (policy.isPending) return <RecordLoading words="Loading policy..." />
  if (!policy.data) {
    return (
      <>
        <PageHeader title="New policy" back={{ ...linkOptions({ to: "/policies" }), label: "Back to Policies" }} />
        <LoadFailed
          title="Failed to load policy"
          notFound="Policy not found"
          error={policy.error}
          onRetry={policy.refetch}
          busy={policy.isFetching}
        />
      </>
    )
  }
  if (policy.data.status !== "Draft") return <Navigate to="/policies/$policyId" params={{ policyId }} replace />
  return <PolicyWizard key={policyId} draft={policy.data} list={list} />
}
