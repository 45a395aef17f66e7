import { BarChart, LineChart } from "@mantine/charts"
import "@mantine/charts/styles.layer.css"
import { type Currency, currencySigns } from "@milkwood/domain/kernel/money"
import { type ChartProps, type ChartSeries, figureWords, toneOf } from "./chart.tsx"
import { useDisplay } from "./display.tsx"

type Drawn = Pick<ChartProps, "points" | "series" | "as"> & { height: number }

/** What draws a chart, with the library of charts: a chunk of its own. */
export default function ChartDrawing({ points, series, as, height }: Drawn) {
  const { currency } = useDisplay()
  const kind = series[0]?.kind ?? "count"
  const kinds = new Map(series.map(({ key, kind: own }) => [key, own]))
  const shared = {
    h: height,
    data: points.map(({ label, values }) => ({ label, ...values })),
    dataKey: "label",
    series: series.map((one, place) => ({
      name: one.key,
      label: one.label,
      color: `var(--chart-${toneOf(one, place)})`,
    })),
    valueFormatter: (value: number, ...[name]: unknown[]) =>
      figureWords(kinds.get(String(name)) ?? kind, value, currency),
    withLegend: series.length > 1,
    legendProps: { verticalAlign: "bottom" as const, height: 28 },
    tickLine: "none" as const,
    tooltipAnimationDuration: 0,
    // Whoever works by keyboard has the table: a picture that takes the focus says less.
    ...{ barChartProps: { accessibilityLayer: false }, lineChartProps: { accessibilityLayer: false } },
  }
  const scale = {
    width: kind === "money" ? 64 : 48,
    allowDecimals: kind === "money",
    tickFormatter: (value: number) => short(kind, value, currency),
  }
  // Months stand without their year, which the table and the card below the pointer say.
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
        yAxisProps={scale}
        lineProps={{ isAnimationActive: false }}
      />
    )
  }
  const { lineChartProps: _, ...props } = shared
  const isLying = as === "lying"
  return (
    <BarChart
      {...props}
      type={as === "stack" ? "stacked" : "default"}
      orientation={isLying ? "vertical" : "horizontal"}
      gridAxis={isLying ? "y" : "x"}
      maxBarWidth={36}
      xAxisProps={isLying ? scale : names}
      yAxisProps={isLying ? { width: 150, interval: 0 } : scale}
      barProps={{ isAnimationActive: false }}
    />
  )
}

const compact = new Intl.NumberFormat("en-ZA", { notation: "compact", maximumFractionDigits: 1 })

/** A figure beside an axis: "R 1,2M". */
const short = (kind: ChartSeries["kind"], value: number, currency: Currency): string =>
  kind === "money" ? `${currencySigns[currency]} ${compact.format(value / 100)}` : compact.format(value)
