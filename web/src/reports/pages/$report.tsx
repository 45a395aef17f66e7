import { Button, Text } from "@mantine/core"
import { formatDay } from "@milkwood/domain/kernel/calendar"
import type { ListWords } from "@milkwood/domain/kernel/list"
import { catalogue, type ReportId } from "@milkwood/domain/reports/catalogue"
import { addressOf, type Report } from "@milkwood/domain/reports/report"
import type { ReportAnswer } from "@milkwood/domain/reports/report-shape"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, type LinkProps, linkOptions, stripSearchParams } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { Chart } from "../../ui/chart.tsx"
import { columnsOf, DataTable, tableOf } from "../../ui/data-table.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { aDay, type ListSearch, listAddress, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { NothingHerePage } from "../../ui/plain-page.tsx"
import { SummaryCards } from "../../ui/summary-cards.tsx"
import classes from "../catalogue.module.css"
import { type Dates, datesOf, ReportDates } from "../report-dates.tsx"
import { parametersIn, reportQuery } from "../reports.api.ts"

const GenerateDialog = lazy(() => import("../generate-dialog.tsx"))

type Search = Record<string, string | number | boolean>

/** Which names mean something the report says when it is there; an address has words, figures and marks alone. */
const simple = (raw: Record<string, unknown>): Search =>
  Object.fromEntries(
    Object.entries(raw).filter(
      ([name, value]) => /^[a-zA-Z]{1,40}$/.test(name) && ["string", "number", "boolean"].includes(typeof value),
    ),
  ) as Search

export const Route = createFileRoute("/_app/reports/$report")({
  validateSearch: simple,
  search: { middlewares: [stripSearchParams({ page: 1, pageSize: 25, search: "" })] },
  staticData: { permission: "reports.read" },
  component: ReportPage,
})

type Row = ReportAnswer["rows"][number]

const links: Record<string, (id: string) => LinkProps> = {
  policy: (policyId) => linkOptions({ to: "/policies/$policyId", params: { policyId } }),
  member: (memberId) => linkOptions({ to: "/members/$memberId", params: { memberId } }),
  claim: (claimId) => linkOptions({ to: "/claims/$claimId", params: { claimId } }),
}

/** A report on screen: its dates, its totals, its rows. */
function ReportPage() {
  const { report: address } = Route.useParams()
  const report = catalogue.find(({ id }) => addressOf(id) === address)
  return report ? <Shown key={address} report={report} /> : <NothingHerePage />
}

function Shown({ report }: { report: Report }) {
  const id = report.id as ReportId
  const { today } = useDisplay()
  const raw = Route.useSearch()
  const { validateSearch } = listAddress(report.list, { asOf: aDay, from: aDay, to: aDay })
  const list = useListPlace(validateSearch(raw as never) as unknown as ListSearch & Dates)
  const { data, isError } = useQuery(reportQuery(id, list.search))
  const [isGenerating, setGenerating] = useState(false)
  const { columns, sums = [] }: ListWords = report.list
  const titled = Object.entries(columns).filter(([name]) => sums.includes(name))
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
      {titled.length > 0 && data?.totalIsCapped && (
        <Text size="sm" c="dimmed">
          Totals are shown up to {data.total.toLocaleString("en-ZA")} rows. Narrow the report, or generate it: its files
          have them.
        </Text>
      )}
      {titled.length > 0 && !data?.totalIsCapped && (
        <SummaryCards
          failed={isError}
          cards={titled
            .filter(([, { hidden }]) => !hidden)
            .slice(0, 6)
            .map(([name, { title, kind }]) => {
              const sum = data?.sums?.[name]
              return {
                label: title,
                value: sum === undefined ? undefined : kind === "money" ? <MoneyText cents={sum} /> : sum,
              }
            })}
        />
      )}
      {data?.chart && data.chart.length > 1 && <Picture report={report} points={data.chart} />}
      <DataTable<Row, ListSearch & Dates, ReportAnswer>
        {...tableOf<Row>(report.list)}
        list={list}
        query={(search) => reportQuery(id, search)}
        columns={columnsOf<Row>(report.list)}
        rowId={(row) => row.id}
        rowName={(row) => String(Object.keys(columns).map((name) => row[name])[0] ?? report.name)}
        rowLink={linkOf}
        empty={{ title: `No ${report.list.noun.many} for this`, words: "Choose other dates or fewer filters." }}
        failed="Failed to load the report"
      />
      <Suspense>
        {isGenerating && (
          <GenerateDialog report={id} parameters={parametersIn(list.search)} onClose={() => setGenerating(false)} />
        )}
      </Suspense>
    </ListPage>
  )
}

/** Names longer than this stand beside their bars, not below them. */
const shortName = 12
const mostUpright = 8

/** The one picture that says faster what the rows say. */
function Picture({ report, points }: { report: Report; points: NonNullable<ReportAnswer["chart"]> }) {
  const { dayFormat } = useDisplay()
  const { by, of, as } = report.chart!
  const columns: ListWords["columns"] = report.list.columns
  const isTime = columns[by]!.kind === "day"
  const isLong = points.length > mostUpright || points.some(({ label }) => label.length > shortName)
  const series = of.map((key) => ({
    ...{ key, label: columns[key]!.title },
    kind: columns[key]!.kind === "money" ? ("money" as const) : ("count" as const),
  }))
  return (
    <div className={classes.picture}>
      <Chart
        title={`${series.map(({ label }) => label).join(" and ")} by ${columns[by]!.title.toLowerCase()}`}
        by={columns[by]!.title}
        points={points.map(({ label, values }) => ({
          ...{ label: /^\d{4}-\d\d-\d\d$/.test(label) ? formatDay(label, dayFormat) : label, values },
        }))}
        series={series}
        as={as === "bars" && !isTime && isLong ? "lying" : as}
      />
    </div>
  )
}

function linkOf({ opens }: Row): LinkProps | undefined {
  const record = opens as { kind: string; id: string } | null | undefined
  return record ? links[record.kind]?.(record.id) : undefined
}
