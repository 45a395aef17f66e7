import { Button } from "@mantine/core"
import type { PolicyRow } from "@milkwood/domain/policies/policies.contract"
import { policyStatuses } from "@milkwood/domain/policies/policy-statuses"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import { benefitChoices } from "../../benefits/benefits.api.ts"
import { api } from "../../platform/api.ts"
import { useKeys } from "../../platform/keyboard.ts"
import { useSession } from "../../platform/session.ts"
import { type Column, DataTable, type RowAction } from "../../ui/data-table.tsx"
import { DayText } from "../../ui/day.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { aDay, addressOf, text, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"

const tabs = ["all", ...policyStatuses] as const

export const Route = createFileRoute("/_app/policies")({
  ...addressOf({
    sorts: ["number", "groupName", "startOn", "status", "memberCount", "premiumCents", "createdAt"],
    defaultSort: "createdAt",
    defaultDir: "desc",
    tabs,
    filters: { productTypeId: text, startFrom: aDay, startTo: aDay },
  }),
  staticData: { permission: "policies.read" },
  component: PoliciesPage,
})

const columns: Column<PolicyRow>[] = [
  { key: "group", header: "Group name", sort: "groupName", card: "title", wide: true, cell: (row) => row.groupName },
  {
    key: "number",
    header: "Policy number",
    sort: "number",
    width: 150,
    cell: (row) => <DocumentNumber>{row.number}</DocumentNumber>,
  },
  { key: "product", header: "Product type", hidden: true, width: 150, cell: (row) => row.productTypeName ?? "–" },
  {
    key: "start",
    header: "Effective date",
    sort: "startOn",
    width: 130,
    cell: (row) => <DayText day={row.startOn} />,
  },
  { key: "end", header: "End date", hidden: true, width: 130, cell: (row) => <DayText day={row.endOn} /> },
  {
    key: "status",
    header: "Status",
    sort: "status",
    width: 130,
    card: "aside",
    cell: (row) => <StatusBadge status={row.status} />,
  },
  {
    key: "members",
    header: "Members",
    sort: "memberCount",
    align: "right",
    width: 110,
    cell: (row) => row.memberCount,
  },
  {
    key: "premium",
    header: "Premium rate",
    sort: "premiumCents",
    align: "right",
    width: 140,
    cell: (row) => <MoneyText cents={row.premiumCents} />,
  },
]

const inputOf = ({ tab, ...search }: ReturnType<typeof Route.useSearch>) => ({
  ...search,
  ...(tab === "all" ? {} : { status: tab }),
})

const view = (row: PolicyRow) => linkOptions({ to: "/policies/$policyId", params: { policyId: row.id } })

function rowActions(row: PolicyRow): RowAction[] {
  const actions: RowAction[] = [{ label: "View details", link: view(row) }]
  if (row.allowedActions.includes("activate")) {
    actions.push({
      label: "Continue draft",
      link: linkOptions({ to: "/policies/$policyId/edit", params: { policyId: row.id } }),
    })
  }
  actions.push({
    label: "View members",
    link: linkOptions({ to: "/policies/$policyId", params: { policyId: row.id }, search: { tab: "members" } }),
  })
  if (row.allowedActions.includes("addMembers")) {
    actions.push({ label: "Add member", link: linkOptions({ to: "/members/new", search: { policyId: row.id } }) })
  }
  return actions
}

/** Every policy that the reader may see. */
function PoliciesPage() {
  const list = useListPlace(Route.useSearch())
  const navigate = Route.useNavigate()
  const mayWrite = useSession().can("policies.write")
  const choices = useQuery(benefitChoices())
  useKeys({ n: mayWrite ? () => void navigate({ to: "/policies/new" }) : undefined })
  const create = mayWrite && <Button renderRoot={(props) => <Link {...props} to="/policies/new" />}>New policy</Button>
  return (
    <ListPage>
      <PageHeader title="Policies" actions={create} />
      <DataTable
        name="policies"
        savedViews
        noun={{ one: "policy", many: "policies" }}
        list={list}
        query={(search: typeof list.search) => api.policies.list.queryOptions({ input: inputOf(search) })}
        exportFrom={{ path: "/api/policies.csv", input: inputOf }}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => row.number}
        rowLink={view}
        rowActions={rowActions}
        tabs={tabs.map((value) => ({
          value,
          label: value === "all" ? "All" : value,
          count: ({ counts }: { counts: Record<typeof value, number> }) => counts[value],
        }))}
        filters={[
          {
            name: "productTypeId",
            label: "Product type",
            kind: "choice",
            options: choices.data?.productTypes.map(({ id, name }) => ({ value: id, label: name })) ?? [],
          },
          { name: "startFrom", until: "startTo", label: "Effective date", kind: "days" },
        ]}
        searchLabel="Search group name or policy number"
        pageTotal={{ label: "Monthly premiums", of: (row) => row.premiumCents * row.memberCount }}
        failed="Failed to load policies"
        empty={{
          title: "No policies yet",
          words: "A policy insures the people of one employer group.",
          action: create,
        }}
      />
    </ListPage>
  )
}
