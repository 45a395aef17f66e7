import { reportRunStateNames, reportRunsList } from "@milkwood/domain/reports/report-runs.list"
import type { ReportRunRow } from "@milkwood/domain/reports/report-shape"
import { IconDownload } from "@tabler/icons-react"
import { createFileRoute } from "@tanstack/react-router"
import { api } from "../../platform/api.ts"
import { columnsOf, DataTable, tableOf } from "../../ui/data-table.tsx"
import { InstantText } from "../../ui/day.tsx"
import { listAddress, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { downloadWithToast } from "../../ui/use-download.ts"
import classes from "../catalogue.module.css"
import { ReportTabs } from "../report-tabs.tsx"
import { runHref } from "../reports.api.ts"

export const Route = createFileRoute("/_app/reports/generated")({
  ...listAddress(reportRunsList),
  staticData: { permission: "reports.read" },
  component: GeneratedPage,
})

const columns = columnsOf<ReportRunRow, typeof reportRunsList>(reportRunsList, {
  name: {
    width: 210,
    wide: true,
    cell: ({ name, message, fileDeletedAt }) => (
      <>
        {name}
        {message && <span className={classes.why}>{message}</span>}
        {fileDeletedAt && (
          <span className={classes.why}>
            File deleted on <InstantText at={fileDeletedAt} show="day" />
          </span>
        )}
      </>
    ),
  },
  words: { width: 230, wide: true },
  format: { width: 80 },
  rows: { width: 80 },
  askedAt: { width: 150, cell: ({ askedAt }) => <InstantText at={askedAt} /> },
  sha256: { width: 150, cell: ({ sha256 }) => <code title={sha256 ?? ""}>{sha256?.slice(0, 12) ?? "–"}</code> },
  state: { width: 120, cell: ({ state }) => <StatusBadge status={reportRunStateNames[state]} /> },
})

function GeneratedPage() {
  const list = useListPlace(Route.useSearch())
  return (
    <ListPage>
      <PageHeader title="Reports & Analytics" />
      <ReportTabs at="generated" />
      <DataTable
        {...tableOf<ReportRunRow>(reportRunsList)}
        list={list}
        query={(search) => api.reports.runs.queryOptions({ input: search })}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        rowActions={(row) =>
          row.state === "done" && row.fileDeletedAt === null
            ? [
                {
                  label: "Download",
                  icon: <IconDownload size={14} />,
                  href: runHref(row.id),
                  download: downloadWithToast,
                },
              ]
            : []
        }
        empty={{
          title: "No generated reports yet",
          words: "Generate one under Available Reports or My Reports. Its file then appears here.",
        }}
        failed="Failed to load generated reports"
      />
    </ListPage>
  )
}
