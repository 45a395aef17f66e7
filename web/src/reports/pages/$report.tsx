import { Button } from "@mantine/core"
import { catalogue, type ReportId } from "@milkwood/domain/reports/catalogue"
import { addressOf, type Report } from "@milkwood/domain/reports/report"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute } from "@tanstack/react-router"
import { lazy, Suspense, useMemo, useState } from "react"
import { useDisplay } from "../../ui/display.tsx"
import { aDay, type ListSearch, listAddress, untypedListAddress, useLooseListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { NothingHerePage } from "../../ui/plain-page.tsx"
import { type Dates, datesOf, ReportDates } from "../report-dates.tsx"
import { ReportTable } from "../report-table.tsx"
import { parametersIn, reportQuery } from "../reports.api.ts"

const GenerateDialog = lazy(() => import("../generate-dialog.tsx"))

export const Route = createFileRoute("/_app/reports/$report")({
  ...untypedListAddress,
  staticData: { permission: "reports.read" },
  component: ReportPage,
})

function ReportPage() {
  const { report: address } = Route.useParams()
  const report = catalogue.find(({ id }) => addressOf(id) === address)
  return report ? <Shown key={address} report={report} /> : <NothingHerePage />
}

function Shown({ report }: { report: Report }) {
  const id = report.id as ReportId
  const { today } = useDisplay()
  const address = useMemo(() => listAddress(report.list, { asOf: aDay, from: aDay, to: aDay }), [report])
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
              value={datesOf(report, today, data?.dates ?? list.search)}
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
          <GenerateDialog report={id} parameters={parametersIn(list.search)} onClose={() => setGenerating(false)} />
        )}
      </Suspense>
    </ListPage>
  )
}
