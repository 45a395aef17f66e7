import { Button } from "@mantine/core"
import { customReport, customSources, daysOfRange, describeDefinition } from "@milkwood/domain/reports/custom-report"
import type { CustomReportDetail } from "@milkwood/domain/reports/custom-report-shape"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute } from "@tanstack/react-router"
import { lazy, Suspense, useMemo, useState } from "react"
import { useDisplay } from "../../ui/display.tsx"
import {
  type ListSearch,
  type LooseSearch,
  listAddress,
  untypedListAddress,
  useLooseListPlace,
} from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { LoadedRecord } from "../../ui/loaded-record.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { MissingFields } from "../missing-fields.tsx"
import { ReportTable } from "../report-table.tsx"
import { customReportQuery, customRowsQuery } from "../reports.api.ts"

const CustomDialog = lazy(() => import("../custom-dialog.tsx"))
const CustomGenerateDialog = lazy(() => import("../custom-generate-dialog.tsx"))
const ScheduleDialog = lazy(() => import("../schedule-dialog.tsx"))

export const Route = createFileRoute("/_app/reports/mine/$customReportId")({
  ...untypedListAddress,
  staticData: { permission: "reports.read" },
  component: CustomReportPage,
})

const back = { to: "/reports/mine", label: "Back to My Reports" } as const

function CustomReportPage() {
  const { customReportId } = Route.useParams()
  const search = Route.useSearch()
  return (
    <LoadedRecord
      record={useQuery(customReportQuery(customReportId))}
      title="Custom report"
      back={back}
      loading="Loading report..."
      failed="Failed to load the report"
      notFound="Report not found"
    >
      {(report) => <CustomReport key={customReportId} report={report} search={search} />}
    </LoadedRecord>
  )
}

function CustomReport({ report, search }: { report: CustomReportDetail; search: LooseSearch }) {
  const { id, name, description, definition, allowedActions } = report
  const words = useMemo(() => customReport(definition, name), [definition, name])
  const address = useMemo(() => listAddress(words.list), [words])
  const list = useLooseListPlace<ListSearch>(address as never, search)
  const { today, dayFormat, currency } = useDisplay()
  const [opened, setOpened] = useState<"edit" | "generate" | "schedule">()
  const close = () => setOpened(undefined)
  return (
    <ListPage>
      <PageHeader
        title={name}
        subtitle={
          <>
            <div>{description || customSources[definition.type].name}</div>
            {describeDefinition(definition, daysOfRange(definition, today), dayFormat, currency)}
          </>
        }
        back={back}
        actions={
          <>
            {allowedActions.includes("edit") && (
              <Button variant="default" onClick={() => setOpened("edit")}>
                Edit
              </Button>
            )}
            <Button variant="default" onClick={() => setOpened("schedule")}>
              Schedule
            </Button>
            <Button onClick={() => setOpened("generate")}>Generate</Button>
          </>
        }
      />
      <MissingFields report={report} />
      <ReportTable
        report={words}
        name={`custom-${id}`}
        list={list}
        query={(search) => customRowsQuery(id, search)}
        empty="Choose another date range or fewer filters."
      />
      <Suspense>
        {opened === "edit" && <CustomDialog saved={report} onClose={close} />}
        {opened === "generate" && <CustomGenerateDialog report={report} onClose={close} />}
        {opened === "schedule" && <ScheduleDialog custom={report} onClose={close} />}
      </Suspense>
    </ListPage>
  )
}
