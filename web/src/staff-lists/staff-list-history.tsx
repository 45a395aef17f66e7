import type { ListInput } from "@milkwood/domain/kernel/list"
import type { ListedStaffList } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { staffListsList } from "@milkwood/domain/staff-lists/staff-lists.list"
import { useQuery } from "@tanstack/react-query"
import { linkOptions } from "@tanstack/react-router"
import { api } from "../platform/api.ts"
import { columnsOf, DataTable, tableOf } from "../ui/data-table.tsx"
import { InstantText } from "../ui/day.tsx"
import type { ListPlace } from "../ui/list-address.ts"
import { SummaryCards } from "../ui/summary-cards.tsx"
import { StaffListStatusBadge } from "./staff-list-status.tsx"
import { rejectedRowsHref, useImportQuestions } from "./staff-lists.api.ts"

export type HistorySearch = ListInput<typeof staffListsList>

export function StaffListStats({ search }: { search: HistorySearch }) {
  const { data, isError } = useQuery(api.staffLists.list.queryOptions({ input: search }))
  const stats = data?.stats
  return (
    <SummaryCards
      failed={isError}
      cards={[
        { label: "Imports completed", value: stats?.imports },
        { label: "Members added", value: stats?.added },
        { label: "Members updated", value: stats?.changed },
        { label: "Rows rejected", value: stats?.refused },
      ]}
    />
  )
}

const columns = columnsOf<ListedStaffList, typeof staffListsList>(staffListsList, {
  createdAt: { width: 150, cell: (row) => <InstantText at={row.createdAt} /> },
  by: { width: 150 },
  status: { width: 150, cell: (row) => <StaffListStatusBadge found={row} /> },
  total: { width: 120 },
})

export function StaffListHistory({ list }: { list: ListPlace<HistorySearch> }) {
  const { askUndo } = useImportQuestions()
  return (
    <DataTable
      {...tableOf(staffListsList)}
      exportFrom={{ path: "/api/imports" }}
      list={list}
      query={(search) => api.staffLists.list.queryOptions({ input: search })}
      rowId={(row) => row.id}
      rowName={(row) => row.fileName}
      rowLink={(row) => linkOptions({ to: "/members/import/$importId", params: { importId: row.id } })}
      columns={columns}
      rowActions={(row) => [
        { label: "Open import", link: linkOptions({ to: "/members/import/$importId", params: { importId: row.id } }) },
        ...(row.allowedActions.includes("downloadRefused")
          ? [{ label: "Download rejected rows", href: rejectedRowsHref(row.id) }]
          : []),
        ...(row.allowedActions.includes("undo")
          ? [{ label: "Undo import", danger: true, onClick: () => void askUndo(row) }]
          : []),
      ]}
      empty={{ title: "No imports yet", words: "Choose a policy and a staff list above to start." }}
      noMatch="No imports match."
      failed="Failed to load the import history"
    />
  )
}
