import { expectedListStateNames } from "@milkwood/domain/staff-lists/expected-staff-list"
import { outstandingListsList } from "@milkwood/domain/staff-lists/outstanding-lists.list"
import type { OutstandingListRow } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import { api } from "../../platform/api.ts"
import { columnsOf, DataTable, type RowAction, tableOf } from "../../ui/data-table.tsx"
import { DayText } from "../../ui/day.tsx"
import { listAddress, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"

export const Route = createFileRoute("/_app/members/import/outstanding")({
  ...listAddress(outstandingListsList),
  staticData: { permission: "members.import" },
  component: OutstandingListsPage,
})

const table = tableOf<OutstandingListRow>(outstandingListsList)
const stateLooks = { expected: "draft", late: "pending" } as const

const columns = columnsOf<OutstandingListRow, typeof outstandingListsList>(outstandingListsList, {
  groupName: { wide: true },
  policyNumber: { width: 160 },
  state: {
    width: 120,
    cell: ({ state }) => <StatusBadge status={stateLooks[state]} label={expectedListStateNames[state]} />,
  },
  lastListOn: {
    width: 130,
    cell: ({ lastListId, lastListOn }) =>
      lastListId && (
        <Link to="/members/import/$importId" params={{ importId: lastListId }}>
          <DayText day={lastListOn} />
        </Link>
      ),
  },
})

const upload = ({ id }: OutstandingListRow) => linkOptions({ to: "/members/import", search: { policyId: id } })

const rowActions = (row: OutstandingListRow): RowAction[] => [
  { label: "Upload list", link: upload(row) },
  { label: "Open policy", link: linkOptions({ to: "/policies/$policyId", params: { policyId: row.id } }) },
  { label: "Open employer", link: linkOptions({ to: "/groups/$groupId", params: { groupId: row.groupId } }) },
]

function OutstandingListsPage() {
  const list = useListPlace(Route.useSearch())
  return (
    <ListPage>
      <PageHeader
        title="Lists outstanding"
        subtitle="Staff lists that employers have not sent"
        back={{ ...linkOptions({ to: "/members/import" }), label: "Back to Bulk Import" }}
      />
      <DataTable
        {...table}
        list={list}
        query={(search: typeof list.search) => api.staffLists.outstanding.queryOptions({ input: search })}
        exportFrom={{ path: "/api/outstanding-lists" }}
        columns={columns}
        rowId={({ id }) => id}
        rowName={({ groupName, policyNumber }) => `${groupName}, ${policyNumber}`}
        rowLink={upload}
        rowActions={rowActions}
        failed="Failed to load the outstanding lists"
        empty={{
          title: "No lists outstanding",
          words: "A policy expects staff lists after you set their due day in its billing terms.",
        }}
      />
    </ListPage>
  )
}
