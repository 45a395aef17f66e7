import type { DayFormat } from "@milkwood/domain/kernel/calendar"
import { formatDay, formatMonth } from "@milkwood/domain/kernel/calendar"
import type { ListWords } from "@milkwood/domain/kernel/list"
import { type Currency, currencySigns, formatAmount, formatMoney } from "@milkwood/domain/kernel/money"
import type { Organisation } from "@milkwood/domain/platform/organisation-shape"
import type { CellKind, FileColumn } from "../platform/lists/file-column.ts"
import type { AskedReport } from "./asked-report.ts"
import type { ChartPoint } from "./report-rows.ts"

/** What stands around the rows of a report on paper, as plain data. */
export interface ReportHead {
  organisation: Organisation
  title: string
  words: string
  madeBy: string
  madeAt: string
  timezone: string
  dateFormat: DayFormat
  currency: Currency
  /** Numbers of records, days and figures are never cut (`isWhole`); names are. */
  columns: { title: string; isNumber: boolean; isWhole: boolean }[]
  /** How many rows follow, and the first of them: the columns are as wide as these need. */
  count: number
  sample: string[][]
  totals: string[] | null
  noun: string
  chart: { names: string[]; points: { label: string; values: number[]; shown: string[] }[] } | null
}

export type About = Pick<ReportHead, "organisation" | "madeBy" | "madeAt" | "timezone" | "dateFormat" | "currency"> & {
  chart: ChartPoint[] | null
}

const sampled = 200

const isNumber = (kind: CellKind): boolean => kind === "money" || kind === "count" || kind === "tenths"

function shown(kind: CellKind, value: string | number | null, format: DayFormat): string {
  if (value === null || value === "") return ""
  if (kind === "day" && /^\d{4}-\d\d-\d\d$/.test(String(value))) return formatDay(String(value), format)
  if (kind === "month" && /^\d{4}-\d\d$/.test(String(value))) return formatMonth(String(value))
  // The columns say what it is in.
  if (kind === "money" && typeof value === "number") return formatAmount(Math.round(value * 100))
  const places = kind === "tenths" ? 1 : 0
  return typeof value === "number" ? value.toLocaleString("en-ZA", { minimumFractionDigits: places }) : value
}

/** A report as a document: its head, and its rows in batches, every cell as it is read. */
export async function documentOf(
  { name, words }: { name: string; words: string },
  { report, list }: AskedReport,
  columns: readonly FileColumn<object>[],
  batches: AsyncIterable<object[]>,
  { rows: count, cells }: { rows: number; cells: (number | null)[] },
  { chart, ...about }: About,
): Promise<{ head: ReportHead; parts: AsyncGenerator<string[][]> }> {
  const declared = list.declared as ListWords
  // Columns that are chosen on screen would only make the others narrower.
  const kept = Object.values(declared.columns).flatMap(({ hidden, kind, title }, index) =>
    hidden ? [] : [{ ...columns[index]!, title, total: cells[index]!, isReference: kind === "reference" }],
  )
  const hasTotals = count > 0 && kept.some(({ total }) => total !== null)
  async function* read(): AsyncGenerator<string[][]> {
    for await (const batch of batches)
      yield batch.map((row) => kept.map(({ kind, value }) => shown(kind, value(row), about.dateFormat)))
  }
  const rest = read()
  const { value: first = [] } = (await rest.next()) as { value: string[][] | undefined }
  async function* parts(): AsyncGenerator<string[][]> {
    yield first
    yield* rest
  }
  const head: ReportHead = {
    ...about,
    title: name,
    words,
    count,
    noun: count === 1 ? declared.noun.one : declared.noun.many,
    columns: kept.map(({ title, kind, isReference }) => ({
      title: kind === "money" ? `${title} (${currencySigns[about.currency]})` : title,
      isNumber: isNumber(kind),
      isWhole: isReference || kind !== "text",
    })),
    sample: first.slice(0, sampled),
    totals: hasTotals ? kept.map(({ kind, total }) => shown(kind, total, about.dateFormat)) : null,
    chart: chart && chart.length > 1 ? drawn(report.chart!.of, declared, chart, about) : null,
  }
  return { head, parts: parts() }
}

function drawn(
  of: readonly string[],
  { columns }: ListWords,
  points: ChartPoint[],
  { dateFormat, currency }: Pick<ReportHead, "dateFormat" | "currency">,
): ReportHead["chart"] {
  return {
    names: of.map((name) => columns[name]!.title),
    points: points.map(({ label, values }) => ({
      label,
      values: of.map((name) => values[name] ?? 0),
      shown: of.map((name) => {
        const { kind } = columns[name]!
        const value = values[name] ?? 0
        return kind === "money" ? formatMoney(value, currency) : shown("count", value, dateFormat)
      }),
    })),
  }
}
