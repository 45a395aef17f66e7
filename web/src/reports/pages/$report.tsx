import { Button } from "@mantine/core"
import { catalogue, type ReportId } from "@milkwood/domain/reports/catalogue"
import { type Report, reportPathOf } from "@milkwood/domain/reports/report"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute } from "@tanstack/react-router"
import { lazy, Suspense, useMemo, useState } from "react"
import { useDisplay } from "../../ui/display.tsx"
import {
  dayReader,
  type ListSearch,
  listAddress,
  untypedListAddress,
  useLooseListPlace,
} from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { NotFoundInAppPage } from "../../ui/plain-page.tsx"
import { type Dates, ReportDates, reportDatesOf } from "../report-dates.tsx"
import { ReportTable } from "../report-table.tsx"
import { reportParametersOf, reportQuery } from "../reports.api.ts"

const GenerateDialog = lazy(() => import("../generate-dialog.tsx"))

export const Route = createFileRoute("/_app/reports/$report")({
  ...untypedListAddress,
  staticData: { permission: "reports.read" },
  component: ReportPage,
})

function ReportPage() {
  const { report: address } = Route.useParams()
  const report = catalogue.find(({ id }) => reportPathOf(id) === address)
  return report ? <ReportView key={address} report={report} /> : <NotFoundInAppPage />
}

function ReportView({ report }: { report: Report }) {
  const id = report.id as ReportId
  const { today } = useDisplay()
  const address = useMemo(() => listAddress(report.list, { asOf: dayReader, from: dayReader, to: dayReader }), [report])
  const list = useLooseListPlace<ListSearch & Dates>(address as never, Route.useSearch())
  const { data } = useQuery(reportQuery(id, list.search))
  const [isGenerating, setGenerating] = useState(false)
  return (
    <ListPage>
      <PageHeader
        title={report.name}
        subtitle={report.description}
        back={{ to: "/reports", label: "Back to Reports & Analytics" }}
        actions={
          <>
            <ReportDates
              report={report}
              value={reportDatesOf(report, today, data?.dates ?? list.search)}
              onChange={(dates) => list.go(dates)}
            />
            <Button onClick={() => setGenerating(true)}>Generate</Button>
          </>
        }
      />
      <ReportTable
        report={report}
        list={list}
        query={(search) => reportQuery(id, search)}
        empty="Choose other dates or fewer filters."
      />
      <Suspense>
        {isGenerating && (
          <GenerateDialog
            report={id}
            parameters={reportParametersOf(list.search)}
            onClose={() => setGenerating(false)}
          />
        )}
      </Suspense>
    </ListPage>
  )
}
