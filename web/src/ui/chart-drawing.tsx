import { BarChart, LineChart } from "@mantine/charts"
import "@mantine/charts/styles.layer.css"
import { type Currency, currencySigns } from "@milkwood/domain/kernel/money"
import { useRouter } from "@tanstack/react-router"
import { barDomainOf, type ChartProps, type ChartSeries, type ChartTone, figureText, seriesToneOf } from "./chart.tsx"
import { useDisplay } from "./display.tsx"

type DrawingProps = Pick<ChartProps, "points" | "series" | "as"> & { height: number }

/** Own chunk, because it imports the chart library. */
export default function ChartDrawing({ points, series, as, height }: DrawingProps) {
  const { currency } = useDisplay()
  const kind = series[0]?.kind ?? "count"
  const router = useRouter({ warn: false })
  const kinds = new Map(series.map(({ key, kind: own }) => [key, own]))
  const drawn = points.some(({ tone }) => tone) ? pointChartData(points, series[0]!) : seriesChartData(points, series)
  const shared = {
    h: height,
    data: drawn.data,
    dataKey: "label",
    series: drawn.series,
    valueFormatter: (value: number, ...[name]: unknown[]) =>
      figureText(kinds.get(String(name)) ?? kind, value, currency),
    withLegend: drawn.series.length > 1,
    legendProps: { verticalAlign: "bottom" as const, height: 28, itemSorter: null },
    tickLine: "none" as const,
    tooltipAnimationDuration: 0,
    // Keyboard and screen reader users have the table, so the picture does not take focus.
    ...{ barChartProps: { accessibilityLayer: false }, lineChartProps: { accessibilityLayer: false } },
  }
  const scale = {
    width: kind === "money" ? 72 : 48,
    allowDecimals: kind === "money",
    tickFormatter: (value: number) => formatCompact(kind, value, currency),
  }
  const isMonths = points.every(({ label }) => /^[A-Z][a-z]{2} \d{4}$/.test(label))
  const names = {
    interval: points.length <= 6 ? (0 as const) : ("equidistantPreserveStart" as const),
    ...(isMonths && { tickFormatter: (label: string) => label.slice(0, 3) }),
  }
  if (as === "lines") {
    const { barChartProps: _, ...props } = shared
    return (
      <LineChart
        {...props}
        curveType="linear"
        withDots={points.length < 25}
        strokeWidth={2}
        xAxisProps={names}
        // Line charts do not start at zero, so that small changes are visible.
        yAxisProps={kind === "count" ? { ...scale, domain: ["auto", "auto"] } : scale}
        lineProps={{ isAnimationActive: false }}
      />
    )
  }
  const { lineChartProps: _, ...props } = shared
  const isLying = as === "lying"
  const fromZero = { ...scale, domain: barDomainOf({ points, series }) }
  const open = (_: unknown, place: number) => {
    const link = points[place]?.link
    if (link) void router?.navigate(link as never)
  }
  return (
    <BarChart
      {...props}
      type={as === "stack" || drawn.isStacked ? "stacked" : "default"}
      orientation={isLying ? "vertical" : "horizontal"}
      gridAxis={isLying ? "y" : "x"}
      maxBarWidth={36}
      xAxisProps={isLying ? fromZero : names}
      yAxisProps={isLying ? { width: 150, interval: 0 } : fromZero}
      barProps={{
        isAnimationActive: false,
        ...(points.some(({ link }) => link) && { cursor: "pointer", onClick: open }),
      }}
    />
  )
}

const chartColourOf = (tone: ChartTone) => `var(--chart-${tone})`

const seriesChartData = (points: DrawingProps["points"], series: DrawingProps["series"]) => ({
  data: points.map(({ label, values }) => ({ label, ...values })),
  series: series.map((one, place) => ({
    name: one.key,
    label: one.label,
    color: chartColourOf(seriesToneOf(one, place)),
  })),
  isStacked: false,
})

/** A chart of one series with a colour per point is drawn as a stacked series per point. */
const pointChartData = (points: DrawingProps["points"], { key }: ChartSeries) => ({
  data: points.map(({ label, values }) => ({ label, [label]: values[key] ?? 0 })),
  series: points.map(({ label, tone }) => ({ name: label, label, color: chartColourOf(tone ?? "teal") })),
  isStacked: true,
})

const compactFormat = new Intl.NumberFormat("en-ZA", { notation: "compact", maximumFractionDigits: 2 })

const formatCompact = (kind: ChartSeries["kind"], value: number, currency: Currency): string =>
  kind === "money" ? `${currencySigns[currency]} ${compactFormat.format(value / 100)}` : compactFormat.format(value)
