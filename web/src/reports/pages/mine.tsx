import { ActionIcon, Button, Group } from "@mantine/core"
import { customRangeNames, customSources, findField } from "@milkwood/domain/reports/custom-report"
import type { CustomReportDetail } from "@milkwood/domain/reports/custom-report-shape"
import { customShareNames, customShares } from "@milkwood/domain/reports/custom-reports"
import { reportFormatNames } from "@milkwood/domain/reports/report"
import { IconDots } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { useSession } from "../../platform/session.ts"
import { useConfirm } from "../../ui/confirm.tsx"
import { InstantText } from "../../ui/day.tsx"
import { EmptyState } from "../../ui/empty-state.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { ActionMenu } from "../../ui/popups.tsx"
import classes from "../catalogue.module.css"
import type { StartedRun } from "../custom-dialog.tsx"
import { MissingFields } from "../missing-fields.tsx"
import { QueryList } from "../own-list.tsx"
import { ReportTabs } from "../report-tabs.tsx"
import { customReportsQuery, useCustomReportCommands } from "../reports.api.ts"

const CustomDialog = lazy(() => import("../custom-dialog.tsx"))
const CustomGenerateDialog = lazy(() => import("../custom-generate-dialog.tsx"))
const ScheduleDialog = lazy(() => import("../schedule-dialog.tsx"))
const loadReportDialogs = () => import("../custom-keep-dialogs.tsx")
const RenameDialog = lazy(async () => ({ default: (await loadReportDialogs()).RenameDialog }))
const DuplicateDialog = lazy(async () => ({ default: (await loadReportDialogs()).DuplicateDialog }))
const ShareDialog = lazy(async () => ({ default: (await loadReportDialogs()).ShareDialog }))

export const Route = createFileRoute("/_app/reports/mine")({
  staticData: { permission: "reports.read" },
  component: MinePage,
})

type OpenedDialog =
  | { dialog: "new" }
  | { dialog: "edit" | "rename" | "duplicate" | "share" | "schedule"; report: CustomReportDetail }
  | { dialog: "generate"; report: CustomReportDetail | StartedRun }

function MinePage() {
  const query = useQuery(customReportsQuery())
  const [opened, setOpened] = useState<OpenedDialog>()
  const close = () => setOpened(undefined)
  return (
    <>
      <PageHeader
        title="Reports & Analytics"
        actions={<Button onClick={() => setOpened({ dialog: "new" })}>Custom Report</Button>}
      />
      <ReportTabs at="mine" />
      <QueryList
        label="My Reports"
        query={query}
        failed="Failed to load your reports"
        empty={
          <EmptyState title="No saved reports yet">
            Build a custom report from the fields you choose. Saved reports are listed here; you can share and schedule
            them.
          </EmptyState>
        }
      >
        {(report) => <SavedReport key={report.id} report={report} onOpen={setOpened} />}
      </QueryList>
      <Suspense>
        {opened?.dialog === "new" && (
          <CustomDialog
            onClose={close}
            onStarted={(report) => setTimeout(() => setOpened({ dialog: "generate", report }))}
          />
        )}
        {opened?.dialog === "edit" && <CustomDialog saved={opened.report} onClose={close} />}
        {opened?.dialog === "rename" && <RenameDialog report={opened.report} onClose={close} />}
        {opened?.dialog === "duplicate" && <DuplicateDialog report={opened.report} onClose={close} />}
        {opened?.dialog === "share" && <ShareDialog report={opened.report} onClose={close} />}
        {opened?.dialog === "generate" && <CustomGenerateDialog report={opened.report} onClose={close} />}
        {opened?.dialog === "schedule" && <ScheduleDialog custom={opened.report} onClose={close} />}
      </Suspense>
    </>
  )
}

function SavedReport({ report, onOpen }: { report: CustomReportDetail; onOpen: (opened: OpenedDialog) => void }) {
  const { remove } = useCustomReportCommands()
  const confirm = useConfirm()
  const { userId } = useSession().user
  const { id, name, definition, sharedWith, ownerId, ownerName, isOrphaned, schedules, allowedActions } = report
  const { type, fields, range, groupBy, filters } = definition
  const may = (action: (typeof allowedActions)[number]) => allowedActions.includes(action)
  const isWhole = may("open") && fields.length > 0
  const askDelete = () =>
    confirm({
      title: "Delete report",
      body: `${name} is deleted for everyone with access to it. ${
        schedules > 0
          ? `${schedules === 1 ? "One schedule" : `${schedules} schedules`} that use${schedules === 1 ? "s" : ""} it will stop. `
          : ""
      }Files already generated are kept.`,
      confirm: "Delete report",
      danger: true,
      action: () => remove.mutateAsync({ customReportId: id }),
    })
  const open = (dialog: "edit" | "rename" | "duplicate" | "share") => () => onOpen({ dialog, report })
  const actions = [
    ...(may("edit") ? [{ label: "Edit report", onClick: open("edit") }] : []),
    ...(may("edit") && isWhole ? [{ label: "Rename report", onClick: open("rename") }] : []),
    ...(isWhole ? [{ label: "Duplicate report", onClick: open("duplicate") }] : []),
    ...(may("edit") && isWhole ? [{ label: "Share report", onClick: open("share") }] : []),
    ...(may("delete") ? [{ label: "Delete report", danger: true, onClick: () => void askDelete() }] : []),
  ]
  const about = [
    customSources[type].name,
    `${fields.length} ${fields.length === 1 ? "field" : "fields"}`,
    customRangeNames[range],
    ...(filters.length > 0 ? [`${filters.length} ${filters.length === 1 ? "filter" : "filters"}`] : []),
    ...(groupBy ? [`by ${findField(type, groupBy)?.title}`] : []),
    reportFormatNames[report.format],
  ]
  const shared =
    sharedWith.length === customShares.length
      ? "everyone with access to reports"
      : sharedWith.map((role) => customShareNames[role].toLowerCase()).join(", ")
  return (
    <li className={classes.report}>
      <div className={classes.words}>
        <h2 className={classes.name}>
          {isWhole ? (
            <Link to="/reports/mine/$customReportId" params={{ customReportId: id }}>
              {name}
            </Link>
          ) : (
            name
          )}
        </h2>
        {report.description && <p className={classes.description}>{report.description}</p>}
        <p className={classes.description}>{about.join(" · ")}</p>
        <p className={classes.last}>
          {ownerId !== userId && `By ${ownerName}${isOrphaned ? " (account disabled)" : ""} · `}
          {sharedWith.length > 0 && `Shared with ${shared} · `}
          {schedules > 0 && `${schedules === 1 ? "1 schedule" : `${schedules} schedules`} · `}
          Last generated: {report.lastGeneratedAt ? <InstantText at={report.lastGeneratedAt} show="day" /> : "never"}
        </p>
        <MissingFields report={report} />
      </div>
      <Group gap="xs" wrap="nowrap">
        {isWhole && (
          <>
            <Button
              variant="default"
              aria-label={`Schedule ${name}`}
              onClick={() => onOpen({ dialog: "schedule", report })}
            >
              Schedule
            </Button>
            <Button
              variant="default"
              aria-label={`Generate ${name}`}
              onClick={() => onOpen({ dialog: "generate", report })}
            >
              Generate
            </Button>
          </>
        )}
        {actions.length > 0 && (
          <ActionMenu
            button={
              <ActionIcon variant="subtle" color="gray" size={30} aria-label={`Actions for ${name}`}>
                <IconDots size={16} />
              </ActionIcon>
            }
            actions={actions}
          />
        )}
      </Group>
    </li>
  )
}
