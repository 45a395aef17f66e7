import { Text } from "@mantine/core"
import { formatDay } from "@milkwood/domain/kernel/calendar"
import type { ListWords } from "@milkwood/domain/kernel/list"
import { type ReportWords, reportPathOf } from "@milkwood/domain/reports/report"
import type { ReportAnswer } from "@milkwood/domain/reports/report-shape"
import { type LinkProps, linkOptions } from "@tanstack/react-router"
import { Chart, isEmptyChart } from "../ui/chart.tsx"
import { useDisplay } from "../ui/display.tsx"
import classes from "./catalogue.module.css"

const maxShortNameLength = 12
const maxUprightBars = 8

interface ReportPictureProps {
  report: ReportWords
  points: NonNullable<ReportAnswer["chart"]>
  /** Explicitly chosen: show a note when there is nothing to draw. */
  isAsked?: boolean
}

export function ReportPicture({ report, points, isAsked = false }: ReportPictureProps) {
  const { dayFormat } = useDisplay()
  const { by, of, as } = report.chart!
  const columns: ListWords["columns"] = report.list.columns
  const isTime = ["day", "month"].includes(columns[by]!.kind)
  const isLong = points.length > maxUprightBars || points.some(({ label }) => label.length > maxShortNameLength)
  const series = of.map((key) => ({
    ...{ key, label: columns[key]!.title },
    kind: columns[key]!.kind === "money" ? ("money" as const) : ("count" as const),
  }))
  if (points.length < 2 || isEmptyChart({ points, series }))
    return isAsked ? <Text c="dimmed">Nothing to chart: a chart needs two groups and a figure.</Text> : null
  return (
    <div className={classes.picture}>
      <Chart
        title={`${joinTitles(series.map(({ label }) => label))} by ${columns[by]!.title.toLowerCase()}`}
        by={columns[by]!.title}
        points={points.map(({ label, values, narrows }) => ({
          ...{ label: /^\d{4}-\d\d-\d\d$/.test(label) ? formatDay(label, dayFormat) : label, values },
          ...(narrows && { link: narrowedReportLink(report, narrows) }),
        }))}
        series={series}
        as={as === "bars" && !isTime && isLong ? "lying" : as}
      />
    </div>
  )
}

const narrowedReportLink = ({ id }: ReportWords, narrows: Record<string, string>) =>
  linkOptions({
    to: "/reports/$report",
    params: { report: reportPathOf(id) },
    search: ((now: object) => ({ ...now, page: undefined, ...narrows })) as never,
  }) as LinkProps

/** "Premium earned" and "Claims incurred" become "Premium earned and claims incurred"; "VAT" stays in capitals. */
const joinTitles = (titles: readonly string[]): string =>
  titles
    .map((title, at) => (at === 0 ? title : title.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())))
    .join(" and ")
