import { type StaffListStatus, staffListStatuses, staffListStatusLabels } from "@milkwood/domain/staff-lists/staff-list"
import type { ListedStaffList } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { useQuery } from "@tanstack/react-query"
import { linkOptions } from "@tanstack/react-router"
import { api } from "../platform/api.ts"
import { type Column, DataTable } from "../ui/data-table.tsx"
import { InstantText } from "../ui/day.tsx"
import { DocumentNumber } from "../ui/document-number.tsx"
import type { ListPlace, ListSearch } from "../ui/list-address.ts"
import { SummaryCards } from "../ui/summary-cards.tsx"
import { StaffListStatusBadge } from "./staff-list-status.tsx"
import { refusedHref, useImportQuestions } from "./staff-lists.api.ts"

export type HistorySearch = ListSearch & { sort: "createdAt" | "fileName" | "rowCount"; status?: StaffListStatus }

const count = (value: number | undefined) => value?.toLocaleString("en-ZA")

/** What the imports amounted to, of those that the list below shows. */
export function StaffListStats({ search }: { search: HistorySearch }) {
  const { data, isError } = useQuery(api.staffLists.list.queryOptions({ input: search }))
  const stats = data?.stats
  return (
    <SummaryCards
      failed={isError}
      cards={[
        { label: "Imports completed", value: stats?.imports },
        { label: "Members added", value: stats?.added },
        { label: "Members changed", value: stats?.changed },
        { label: "Rows refused", value: stats?.refused },
      ]}
    />
  )
}

const columns: Column<ListedStaffList>[] = [
  { key: "fileName", header: "File", sort: "fileName", card: "title", cell: (row) => row.fileName },
  { key: "group", header: "Group", cell: (row) => row.groupName },
  { key: "policy", header: "Policy", width: 150, cell: (row) => <DocumentNumber>{row.policyNumber}</DocumentNumber> },
  {
    key: "createdAt",
    header: "Date",
    sort: "createdAt",
    width: 150,
    cell: (row) => <InstantText at={row.createdAt} />,
  },
  { key: "by", header: "By", width: 150, cell: (row) => row.createdByName },
  {
    key: "status",
    header: "Status",
    width: 150,
    card: "aside",
    cell: (row) => <StaffListStatusBadge found={row} />,
  },
  {
    key: "total",
    header: "Total records",
    sort: "rowCount",
    align: "right",
    width: 120,
    cell: (row) => count(row.rowCount),
  },
  { key: "success", header: "Added", align: "right", width: 90, cell: (row) => count(row.addedCount) },
  { key: "errors", header: "Errors", align: "right", width: 90, cell: (row) => count(row.errorCount) },
]

/** Every import that the reader may see, newest first; each can be opened, also while it is going on. */
export function StaffListHistory({ list }: { list: ListPlace<HistorySearch> }) {
  const { askUndo } = useImportQuestions()
  return (
    <DataTable
      name="imports"
      noun={{ one: "import", many: "imports" }}
      list={list}
      query={(search) => api.staffLists.list.queryOptions({ input: search })}
      rowId={(row) => row.id}
      rowName={(row) => row.fileName}
      rowLink={(row) => linkOptions({ to: "/members/import/$importId", params: { importId: row.id } })}
      columns={columns}
      searchLabel="Search file, group or policy"
      filters={[
        {
          name: "status",
          label: "Status",
          kind: "choice",
          options: staffListStatuses.map((value) => ({ value, label: staffListStatusLabels[value] })),
        },
      ]}
      rowActions={(row) => [
        { label: "Open import", link: linkOptions({ to: "/members/import/$importId", params: { importId: row.id } }) },
        ...(row.allowedActions.includes("downloadRefused")
          ? [{ label: "Download refused rows", href: refusedHref(row.id) }]
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
