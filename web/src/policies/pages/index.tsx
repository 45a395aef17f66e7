import { Button } from "@mantine/core"
import type { PolicyRow } from "@milkwood/domain/policies/policies.contract"
import { policiesList } from "@milkwood/domain/policies/policies.list"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import { benefitChoicesQuery } from "../../benefits/benefits.api.ts"
import { api } from "../../platform/api.ts"
import { useKeys } from "../../platform/keyboard.ts"
import { useSession } from "../../platform/session.ts"
import { columnsOf, DataTable, type RowAction, tableOf, withFilterChoices } from "../../ui/data-table.tsx"
import { listAddress, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { allowedSteps } from "../../ui/record-actions.tsx"
import { usePolicyActions } from "../policy-actions.tsx"

export const Route = createFileRoute("/_app/policies")({
  ...listAddress(policiesList),
  staticData: { permission: "policies.read" },
  component: PoliciesPage,
})

const table = tableOf<PolicyRow>(policiesList)
const columns = columnsOf<PolicyRow, typeof policiesList>(policiesList, {
  group: { wide: true },
  product: { width: 150 },
  start: { width: 130 },
  end: { width: 130 },
  members: { width: 110 },
  premium: { width: 140 },
})

const view = (row: PolicyRow) => linkOptions({ to: "/policies/$policyId", params: { policyId: row.id } })

function PoliciesPage() {
  const list = useListPlace(Route.useSearch())
  const { of, allowed, dialogs } = usePolicyActions()
  const rowActions = (row: PolicyRow): RowAction[] => {
    const params = { policyId: row.id }
    const steps = allowedSteps(allowed(row), of(row))
    return [
      { label: "View details", link: view(row) },
      ...(row.allowedActions.includes("activate")
        ? [
            {
              label: "Continue draft",
              link: linkOptions({ to: "/policies/$policyId/edit", params, search: { goOn: true } }),
            },
          ]
        : row.allowedActions.includes("edit")
          ? [{ label: "Edit", link: linkOptions({ to: "/policies/$policyId", params, hash: "edit" }) }]
          : []),
      { label: "Documents", link: linkOptions({ to: "/policies/$policyId", params, search: { tab: "documents" } }) },
      { label: "View members", link: linkOptions({ to: "/policies/$policyId", params, search: { tab: "members" } }) },
      ...steps,
    ]
  }
  const navigate = Route.useNavigate()
  const mayWrite = useSession().can("policies.write")
  const choices = useQuery(benefitChoicesQuery())
  useKeys({ n: mayWrite ? () => void navigate({ to: "/policies/new" }) : undefined })
  const create = mayWrite && <Button renderRoot={(props) => <Link {...props} to="/policies/new" />}>New policy</Button>
  return (
    <ListPage>
      <PageHeader title="Policies" actions={create} />
      <DataTable
        {...table}
        savedViews
        list={list}
        query={(search: typeof list.search) => api.policies.list.queryOptions({ input: search })}
        exportFrom={{ path: "/api/policies" }}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => row.number}
        rowLink={view}
        rowActions={rowActions}
        filters={withFilterChoices(table.filters, { productTypeId: choices.data?.productTypes })}
        pageTotal={{
          label: "Monthly premiums",
          of: ({ monthlyPremiumCents }) => monthlyPremiumCents,
          without: "excl. policies without a rate",
        }}
        failed="Failed to load policies"
        empty={{
          title: "No policies yet",
          words: "Create a policy to insure the people of an employer group.",
          action: create,
        }}
      />
      {dialogs}
    </ListPage>
  )
}
