import { formatDay } from "@milkwood/domain/kernel/calendar"
import type { ListWords } from "@milkwood/domain/kernel/list"
import type { ReportWords } from "@milkwood/domain/reports/report"
import type { ReportAnswer } from "@milkwood/domain/reports/report-shape"
import { Chart, isEmptyChart } from "../ui/chart.tsx"
import { useDisplay } from "../ui/display.tsx"
import classes from "./catalogue.module.css"

/** Names longer than this stand beside their bars, not below them. */
const shortName = 12
const mostUpright = 8

/** The one picture that says faster what the rows say. */
export function ReportPicture({ report, points }: { report: ReportWords; points: NonNullable<ReportAnswer["chart"]> }) {
  const { dayFormat } = useDisplay()
  const { by, of, as } = report.chart!
  const columns: ListWords["columns"] = report.list.columns
  const isTime = ["day", "month"].includes(columns[by]!.kind)
  const isLong = points.length > mostUpright || points.some(({ label }) => label.length > shortName)
  const series = of.map((key) => ({
    ...{ key, label: columns[key]!.title },
    kind: columns[key]!.kind === "money" ? ("money" as const) : ("count" as const),
  }))
  if (isEmptyChart({ points, series })) return null
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
