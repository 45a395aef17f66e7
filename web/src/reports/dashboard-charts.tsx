import { type AgeBucket, ageBucketDays, ageBucketNames, ageBuckets } from "@milkwood/domain/billing/ageing"
import { addDays, type Day, formatMonth, lastOfMonth } from "@milkwood/domain/kernel/calendar"
import type { PermissionName } from "@milkwood/domain/platform/permission"
import { chartsOfRole, type DashboardChart, lossRatioOf } from "@milkwood/domain/reports/dashboard"
import type { DashboardCharts as Charts } from "@milkwood/domain/reports/reports.contract"
import { useQuery } from "@tanstack/react-query"
import { type LinkProps, linkOptions } from "@tanstack/react-router"
import { api } from "../platform/api.ts"
import { useSession } from "../platform/session.ts"
import { ageTones, Chart, type ChartPoint, type ChartProps, isEmptyChart } from "../ui/chart.tsx"
import { useDisplay } from "../ui/display.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import classes from "./dashboard.module.css"

interface ChartContext {
  can: (permission: PermissionName) => boolean
  today: Day
}

const chartPropsBuilders: {
  [C in DashboardChart]: (figures: NonNullable<Charts[C]>, reader: ChartContext) => ChartProps
} = {
  money: (months, { today }) => ({
    title: "Billed and collected",
    ...monthChartPoints(months, ({ from, to }) =>
      linkOptions({ to: "/reports/$report", params: { report: "premium-billing" }, search: { from, to } }),
    ),
    as: "bars",
    series: [
      { key: "billedCents", label: "Billed", kind: "money" },
      { key: "collectedCents", label: "Collected", kind: "money" },
    ],
    link: {
      ...linkOptions({
        to: "/reports/$report",
        params: { report: "premium-billing" },
        search: { from: months[0]!.month, to: today },
      }),
      words: "Premium billing",
    },
  }),
  invoiced: (months) => ({
    title: "Invoices by month",
    ...monthChartPoints(months, ({ from, to }) =>
      linkOptions({ to: "/invoices", search: { tab: "sent", invoicedFrom: from, invoicedTo: to } }),
    ),
    as: "stack",
    series: [
      { key: "paidCents", label: "Paid", kind: "money" },
      { key: "openCents", label: "Open", kind: "money", tone: "amber" },
    ],
    link: { ...linkOptions({ to: "/invoices", search: { tab: "sent" } }), words: "Invoices" },
  }),
  claims: (months) => ({
    title: "Claims by month of submission",
    note: decisionTimeText(months),
    ...monthChartPoints(months, ({ from, to }) =>
      linkOptions({ to: "/claims", search: { submittedFrom: from, submittedTo: to } }),
    ),
    as: "stack",
    series: [
      { key: "approved", label: "Approved", kind: "count", tone: "green" },
      { key: "rejected", label: "Rejected", kind: "count", tone: "red" },
      { key: "pending", label: "Pending", kind: "count", tone: "amber" },
    ],
    more: [{ key: "averageDays", label: "Days to decide", kind: "count" }],
    link: { ...linkOptions({ to: "/claims", search: { submittedFrom: months[0]!.month } }), words: "Claims" },
  }),
  experience: (months) => {
    const sum = (name: "earnedCents" | "incurredCents") => months.reduce((total, row) => total + row[name], 0)
    const ratio = lossRatioOf(sum("incurredCents"), sum("earnedCents"))
    return {
      title: "Premium earned and claims incurred",
      note: ratio === null ? "No premium yet" : `Loss ratio over 12 months: ${ratio.toLocaleString("en-ZA")} %`,
      ...monthChartPoints(months),
      as: "lines",
      series: [
        { key: "earnedCents", label: "Premium earned", kind: "money" },
        { key: "incurredCents", label: "Claims incurred", kind: "money", tone: "violet" },
      ],
      more: [{ key: "ledgerCents", label: "Premium income in the ledger", kind: "money" }],
      link: {
        ...linkOptions({ to: "/reports/$report", params: { report: "claims-experience" }, search: {} }),
        words: "Claims experience",
      },
    }
  },
  members: (months) => ({
    title: "Members",
    ...monthChartPoints(months),
    as: "lines",
    series: [{ key: "active", label: "Active members", kind: "count" }],
    link: { ...linkOptions({ to: "/members", search: { tab: "Active" } }), words: "Members" },
  }),
  ageing: (amounts, { can, today }) => ({
    title: "Amounts owed by age",
    by: "Days overdue",
    points: ageBuckets.map((bucket, place) => ({
      label: ageBucketNames[bucket].replace(" days", ""),
      values: { owed: amounts[bucket] },
      tone: ageTones[place]!,
      link: linkOptions({ to: "/invoices", search: { tab: "unpaid", ...dueRangeOf(bucket, today) } }) as LinkProps,
    })),
    as: "bars",
    series: [{ key: "owed", label: "Owed", kind: "money" }],
    link: can("reports.financial")
      ? { ...linkOptions({ to: "/reports/debtors-ageing" }), words: "Debtors’ ageing" }
      : { ...linkOptions({ to: "/invoices", search: { tab: "unpaid" } }), words: "Unpaid invoices" },
  }),
}

const monthChartPoints = (
  months: readonly { month: Day }[],
  listOf?: (days: { from: Day; to: Day }) => object,
): { by: string; points: ChartPoint[] } => ({
  by: "Month",
  points: months.map(({ month, ...values }) => ({
    label: formatMonth(month),
    values,
    ...(listOf && { link: listOf({ from: month, to: lastOfMonth(month) }) as LinkProps }),
  })),
})

/** The due dates of an age bucket, as filters of the invoice list. */
function dueRangeOf(bucket: AgeBucket, today: Day): { dueFrom?: Day; dueTo?: Day } {
  const { from, to } = ageBucketDays[bucket]
  return {
    ...(to !== null && { dueFrom: addDays(today, -to) }),
    ...(from !== null && { dueTo: addDays(today, -from) }),
  }
}

function decisionTimeText(months: NonNullable<Charts["claims"]>): string {
  const decided = months.filter(({ averageDays }) => averageDays !== null)
  const count = decided.reduce((sum, { approved, rejected }) => sum + approved + rejected, 0)
  if (count === 0) return "No decisions yet"
  const days = decided.reduce((sum, row) => sum + row.averageDays! * (row.approved + row.rejected), 0) / count
  const rounded = Math.round(days * 10) / 10
  if (rounded === 0) return "Decided on the day of submission"
  return `Decided after ${rounded.toLocaleString("en-ZA")} ${rounded === 1 ? "day" : "days"} on average`
}

/** A lazy chunk, loaded after the page is painted. */
export default function DashboardCharts() {
  const { user, can } = useSession()
  const { today } = useDisplay()
  const query = useQuery(api.reports.dashboardCharts.queryOptions({ input: {} }))
  const charts = user.role ? chartsOfRole[user.role] : []
  if (query.isError && !query.data)
    return (
      <LoadFailed
        error={query.error}
        onRetry={query.refetch}
        busy={query.isFetching}
        title="Failed to load the charts"
      />
    )
  return (
    <div className={`${classes.charts} ${classes.below}`}>
      {charts.map((chart) => {
        const figures = query.data?.[chart]
        const props = figures && chartPropsBuilders[chart](figures as never, { can, today })
        if (props && isEmptyChart(props)) return null
        return (
          <div key={chart} className={`${classes.panel} ${classes.chartWaits}`}>
            {props && <Chart {...props} />}
          </div>
        )
      })}
    </div>
  )
}
