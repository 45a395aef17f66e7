import { ActionIcon, Button, Group, TextInput } from "@mantine/core"
import { catalogue, quickReports, type ReportId } from "@milkwood/domain/reports/catalogue"
import { reportCategories, reportCategoryNames, reportPathOf } from "@milkwood/domain/reports/report"
import type { ReportsCatalogue } from "@milkwood/domain/reports/report-shape"
import { IconCalendarClock, IconDownload, IconInfoCircle } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { InstantText } from "../../ui/day.tsx"
import { EmptyState } from "../../ui/empty-state.tsx"
import { LoadFailed } from "../../ui/load-failed.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import classes from "../catalogue.module.css"
import type { StartedRun } from "../custom-dialog.tsx"
import { ReportTabs } from "../report-tabs.tsx"
import { catalogueQuery, type ReportParameters } from "../reports.api.ts"

const GenerateDialog = lazy(() => import("../generate-dialog.tsx"))
const CustomDialog = lazy(() => import("../custom-dialog.tsx"))
const CustomGenerateDialog = lazy(() => import("../custom-generate-dialog.tsx"))
const ScheduleDialog = lazy(() => import("../schedule-dialog.tsx"))
const DetailsDialog = lazy(() => import("../details-dialog.tsx"))

export const Route = createFileRoute("/_app/reports")({
  staticData: { permission: "reports.read" },
  component: ReportsPage,
})

type OpenedDialog =
  | { dialog: "generate"; report: ReportId; parameters: ReportParameters; name: string }
  | { dialog: "schedule"; report?: ReportId; parameters?: ReportParameters; name?: string }
  | { dialog: "custom" }
  | { dialog: "made"; report: StartedRun }
  | { dialog: "details"; report: ReportId; lastGeneratedAt: string | null }

const reportLinkOf = (id: ReportId, search: ReportParameters = {}) =>
  id === "debtors_ageing"
    ? linkOptions({ to: "/reports/debtors-ageing", search: search as { overdue?: boolean } })
    : linkOptions({ to: "/reports/$report", params: { report: reportPathOf(id) }, search })

function ReportsPage() {
  const query = useQuery(catalogueQuery())
  const [sought, setSought] = useState("")
  const [opened, setOpened] = useState<OpenedDialog>()
  const close = () => setOpened(undefined)
  const known = new Map(query.data?.reports.map((one) => [one.id, one.lastGeneratedAt]))
  const words = sought.trim().toLowerCase()
  const found = catalogue.filter(
    ({ id, name, description }) => known.has(id) && `${name} ${description}`.toLowerCase().includes(words),
  )
  return (
    <>
      <PageHeader
        title="Reports & Analytics"
        actions={
          <>
            <Button variant="default" onClick={() => setOpened({ dialog: "schedule" })}>
              New Schedule
            </Button>
            <Button onClick={() => setOpened({ dialog: "custom" })}>Custom Report</Button>
          </>
        }
      />
      <ReportTabs at="available" />
      {query.isError && !query.data && (
        <LoadFailed
          error={query.error}
          onRetry={query.refetch}
          busy={query.isFetching}
          title="Failed to load the reports"
        />
      )}
      {query.data && (
        <>
          <QuickReports
            quick={query.data.quick}
            onOpen={(dialog, report, parameters, name) =>
              setOpened({ dialog, report, parameters, name } as OpenedDialog)
            }
          />
          <TextInput
            aria-label="Search reports"
            placeholder="Search reports"
            value={sought}
            onChange={(event) => setSought(event.currentTarget.value)}
            maw={{ xs: 320 }}
            mt="md"
          />
          {found.length === 0 && <EmptyState title="No reports match." />}
          {reportCategories.map((category) => {
            const reports = found.filter((one) => one.category === category)
            if (reports.length === 0) return null
            return (
              <section key={category} aria-label={reportCategoryNames[category]}>
                <h2 className={classes.category}>{reportCategoryNames[category]}</h2>
                <ul className={classes.reports}>
                  {reports.map(({ id, name, description }) => {
                    const lastGeneratedAt = known.get(id) ?? null
                    return (
                      <li key={id} className={classes.report}>
                        <div className={classes.words}>
                          <h3 className={classes.name}>
                            <Link {...reportLinkOf(id)}>{name}</Link>
                          </h3>
                          <p className={classes.description}>{description}</p>
                          <p className={classes.last}>
                            Last generated:{" "}
                            {lastGeneratedAt ? <InstantText at={lastGeneratedAt} show="day" /> : "never"}
                          </p>
                        </div>
                        <Group gap="xs" wrap="nowrap">
                          <ActionIcon
                            variant="subtle"
                            color="gray"
                            size={30}
                            aria-label={`Details of ${name}`}
                            title="Details"
                            onClick={() => setOpened({ dialog: "details", report: id, lastGeneratedAt })}
                          >
                            <IconInfoCircle size={16} />
                          </ActionIcon>
                          <Button
                            variant="default"
                            aria-label={`Schedule ${name}`}
                            onClick={() => setOpened({ dialog: "schedule", report: id, name })}
                          >
                            Schedule
                          </Button>
                          <Button
                            variant="default"
                            aria-label={`Generate ${name}`}
                            onClick={() => setOpened({ dialog: "generate", report: id, parameters: {}, name })}
                          >
                            Generate
                          </Button>
                        </Group>
                      </li>
                    )
                  })}
                </ul>
              </section>
            )
          })}
        </>
      )}
      <Suspense>
        {opened?.dialog === "generate" && <GenerateDialog {...opened} onClose={close} />}
        {opened?.dialog === "schedule" && <ScheduleDialog {...opened} onClose={close} />}
        {opened?.dialog === "custom" && (
          <CustomDialog
            onClose={close}
            onStarted={(report) => setTimeout(() => setOpened({ dialog: "made", report }))}
          />
        )}
        {opened?.dialog === "made" && <CustomGenerateDialog report={opened.report} onClose={close} />}
        {opened?.dialog === "details" && <DetailsDialog {...opened} onClose={close} />}
      </Suspense>
    </>
  )
}

interface QuickReportsProps {
  quick: ReportsCatalogue["quick"]
  onOpen: (dialog: "generate" | "schedule", report: ReportId, parameters: ReportParameters, name: string) => void
}

function QuickReports({ quick, onOpen }: QuickReportsProps) {
  if (quick.length === 0) return null
  return (
    <section aria-label="Quick Reports">
      <h2 className={classes.category}>Quick Reports</h2>
      <ul className={classes.quick}>
        {quickReports.map(({ key, name, period, report, asked }) => {
          const state = quick.find((one) => one.key === key)
          if (!state) return null
          return (
            <li key={key} className={classes.card}>
              <div className={classes.line}>
                <h3 className={classes.name}>
                  <Link {...reportLinkOf(report, asked)}>{name}</Link>
                </h3>
                <Group gap={2} wrap="nowrap">
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={28}
                    aria-label={`Schedule ${name}`}
                    title="Schedule"
                    onClick={() => onOpen("schedule", report, asked, name)}
                  >
                    <IconCalendarClock size={16} />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={28}
                    aria-label={`Download ${name}`}
                    title="Download"
                    onClick={() => onOpen("generate", report, asked, name)}
                  >
                    <IconDownload size={16} />
                  </ActionIcon>
                </Group>
              </div>
              <p className={classes.description}>{period}</p>
              <Group gap="xs">
                <StatusBadge status={state.status} />
                {state.at && state.status !== "Processing" && (
                  <span className={classes.last}>
                    <InstantText at={state.at} show={state.status === "Ready" ? "time" : "both"} />
                  </span>
                )}
                {state.urgent && <StatusBadge status="Urgent" />}
              </Group>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
