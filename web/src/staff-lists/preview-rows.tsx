import { type RowOutcome, type RowStatus, rowOutcomeNames, rowResult } from "@milkwood/domain/staff-lists/staff-list"
import { refusesRow } from "@milkwood/domain/staff-lists/staff-list-problems"
import { staffListRowsList } from "@milkwood/domain/staff-lists/staff-list-rows.list"
import type { StaffListDetail, StaffListRow } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { linkOptions } from "@tanstack/react-router"
import { lazy, Suspense, useMemo, useState } from "react"
import { api } from "../platform/api.ts"
import { keepNumbersUnbroken } from "../ui/breakable.tsx"
import { columnsOf, DataTable, tableOf } from "../ui/data-table.tsx"
import type { ListPlace } from "../ui/list-address.ts"
import { StatusBadge } from "../ui/status-badge.tsx"
import { type PreviewSearch, type PreviewTab, previewTabs } from "./preview-tabs.ts"
import classes from "./staff-lists.module.css"

const CorrectRowDialog = lazy(() => import("./correct-row-dialog.tsx"))

const tabLabels: Record<PreviewTab, string> = {
  all: "All",
  ready: "Ready",
  warning: "Warnings",
  error: "Errors",
  joiner: "Joiners",
  change: "Changes",
  unchanged: "Unchanged",
  leaver: "Leavers",
}

/** After the import, the tab "ready" has another label. */
const resultLabels: Partial<Record<PreviewTab, string>> = {
  ready: "Without warnings",
  warning: "With warnings",
  error: "Left out",
}

const filterByTab: Record<PreviewTab, { status?: RowStatus; outcome?: RowOutcome }> = {
  all: {},
  ready: { status: "ready" },
  warning: { status: "warning" },
  error: { status: "error" },
  joiner: { outcome: "joiner" },
  change: { outcome: "change" },
  unchanged: { outcome: "unchanged" },
  leaver: { outcome: "leaver" },
}

/** A checked list shows planned outcomes, an imported one actual outcomes. */
const createColumns = (list: StaffListDetail["status"]) =>
  columnsOf<StaffListRow, typeof staffListRowsList>(staffListRowsList, {
    row: { width: 56, card: "line", cell: ({ line }) => line ?? "–" },
    status: {
      width: 100,
      cell: (row) => (row.outcome === "leaver" ? "–" : (rowResult(list, row) ?? <StatusBadge status={row.status} />)),
    },
    name: {
      width: 190,
      card: "title",
      cell: (row) => <TruncatedText>{`${row.firstName} ${row.lastName}`.trim()}</TruncatedText>,
    },
    idNumber: { width: 128, cell: ({ idNumber }) => <span className="tabular">{idNumber ?? "–"}</span> },
    email: { cell: ({ email }) => <TruncatedText>{email}</TruncatedText> },
    outcome: { cell: ({ outcome }) => (outcome ? rowOutcomeNames[outcome] : "Left out") },
    tier: { width: 90, cell: ({ tierName }) => <TruncatedText>{tierName}</TruncatedText> },
    start: { width: 110 },
    salary: { width: 120 },
    words: { wide: true, width: 400, cell: (row) => <RowProblems row={row} /> },
  })

/** Shortens long texts to leave room for the problems; the title has the full text. */
function TruncatedText({ children }: { children: string | null }) {
  return children ? (
    <span className={classes.cut} title={children}>
      {children}
    </span>
  ) : (
    "–"
  )
}

function RowProblems({ row }: { row: StaffListRow }) {
  if (row.problems.length === 0 && row.changes.length === 0) return null
  return (
    <ul className={classes.problems}>
      {row.problems.map(({ code, sentence }) => (
        <li key={code + sentence} data-refuses={refusesRow(code)}>
          {keepNumbersUnbroken(sentence)}
        </li>
      ))}
      {row.changes.map(({ field, before, after }) => (
        <li key={field}>
          {field}: <span className={classes.changed}>{before || "empty"}</span> → {after}
        </li>
      ))}
    </ul>
  )
}

export function PreviewRows({ found, list }: { found: StaffListDetail; list: ListPlace<PreviewSearch> }) {
  const counts: Record<PreviewTab, number> = { ...found.counts, all: found.rowCount + found.counts.leaver }
  const columns = useMemo(() => createColumns(found.status), [found.status])
  const labels =
    found.status === "completed" || found.status === "undone" ? { ...tabLabels, ...resultLabels } : tabLabels
  const [correcting, setCorrecting] = useState<CorrectableRow>()
  const mayCorrect = found.status === "ready" && found.allowedActions.includes("check")
  const table = (
    <DataTable
      {...tableOf(staffListRowsList)}
      list={list}
      query={({ tab, ...search }) =>
        api.staffLists.rows.queryOptions({ input: { ...search, ...filterByTab[tab], importId: found.id } })
      }
      rowId={(row) => String(row.row ?? row.memberId)}
      rowName={(row) => (row.line ? `Row ${row.line}` : `${row.firstName} ${row.lastName}`)}
      columns={columns}
      tabs={previewTabs
        .filter((tab) => tab === "all" || counts[tab] > 0 || tab === list.search.tab)
        .map((value) => ({ value, label: labels[value], count: () => counts[value] }))}
      rowActions={(row) => [
        ...(mayCorrect && isCorrectable(row) ? [{ label: "Correct row", onClick: () => setCorrecting(row) }] : []),
        ...(row.memberId
          ? [
              {
                label: "View member",
                link: linkOptions({ to: "/members/$memberId", params: { memberId: row.memberId } }),
              },
            ]
          : []),
      ]}
      empty={{ title: "The list has no rows" }}
      noMatch="No rows match."
      failed="Failed to load the rows"
    />
  )
  return (
    <>
      {table}
      {correcting && (
        <Suspense>
          <CorrectRowDialog found={found} row={correcting} onClose={() => setCorrecting(undefined)} />
        </Suspense>
      )}
    </>
  )
}

type CorrectableRow = StaffListRow & { line: number; cells: string[] }
const isCorrectable = (row: StaffListRow): row is CorrectableRow => row.line !== null && row.cells !== null
