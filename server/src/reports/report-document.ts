import type { DayFormat } from "@milkwood/domain/kernel/calendar"
import { formatDay } from "@milkwood/domain/kernel/calendar"
import type { ListWords } from "@milkwood/domain/kernel/list"
import { formatRand } from "@milkwood/domain/kernel/money"
import type { Organisation } from "@milkwood/domain/platform/organisation-shape"
import type { CellKind, FileColumn } from "../platform/lists/file-column.ts"
import type { AskedReport } from "./asked-report.ts"
import type { ChartPoint, Totals } from "./report-rows.ts"

/** A report on paper, as plain data: every cell as it is read. */
export interface ReportDocument {
  organisation: Organisation
  title: string
  words: string
  madeBy: string
  madeAt: string
  timezone: string
  dateFormat: DayFormat
  columns: { title: string; isNumber: boolean }[]
  rows: string[][]
  totals: string[] | null
  noun: string
  chart: { names: string[]; points: { label: string; values: number[]; shown: string[] }[] } | null
}

export type About = Pick<ReportDocument, "organisation" | "madeBy" | "madeAt" | "timezone" | "dateFormat"> & {
  chart: ChartPoint[] | null
}

const isNumber = (kind: CellKind): boolean => kind === "money" || kind === "count"

function shown(kind: CellKind, value: string | number | null, format: DayFormat): string {
  if (value === null || value === "") return ""
  if (kind === "day" && /^\d{4}-\d\d-\d\d$/.test(String(value))) return formatDay(String(value), format)
  // The columns say that it is rand.
  if (kind === "money" && typeof value === "number")
    return formatRand(Math.round(value * 100)).replace(/^(-?)R\s/, "$1")
  return typeof value === "number" ? value.toLocaleString("en-ZA") : value
}

/** Reads a report to its end, as a document. */
export async function documentOf(
  { name, words }: { name: string; words: string },
  { report, list }: AskedReport,
  columns: readonly FileColumn<object>[],
  batches: AsyncIterable<object[]>,
  totals: Totals,
  { chart, ...about }: About,
): Promise<ReportDocument> {
  const declared = list.declared as ListWords
  const keys = Object.keys(declared.columns)
  // Columns that are chosen on screen would only make the others narrower.
  const kept = columns.filter((_, index) => !declared.columns[keys[index]!]!.hidden)
  const rows: string[][] = []
  for await (const batch of batches)
    for (const row of batch) rows.push(kept.map(({ kind, value }) => shown(kind, value(row), about.dateFormat)))
  const cells = totals.cells.filter((_, index) => !declared.columns[keys[index]!]!.hidden)
  const hasTotals = rows.length > 0 && cells.some((cell) => cell !== null)
  return {
    ...about,
    title: name,
    words,
    noun: rows.length === 1 ? declared.noun.one : declared.noun.many,
    columns: kept.map(({ title, kind }) => ({
      title: kind === "money" ? `${title} (R)` : title,
      isNumber: isNumber(kind),
    })),
    rows,
    totals: hasTotals ? cells.map((cell, index) => shown(kept[index]!.kind, cell, about.dateFormat)) : null,
    chart: chart && chart.length > 1 ? drawn(report.chart!.of, declared, chart, about.dateFormat) : null,
  }
}

function drawn(
  of: readonly string[],
  { columns }: ListWords,
  points: ChartPoint[],
  format: DayFormat,
): ReportDocument["chart"] {
  return {
    names: of.map((name) => columns[name]!.title),
    points: points.map(({ label, values }) => ({
      label,
      values: of.map((name) => values[name] ?? 0),
      shown: of.map((name) => {
        const { kind } = columns[name]!
        const value = values[name] ?? 0
        return kind === "money" ? formatRand(value) : shown("count", value, format)
      }),
    })),
  }
}
