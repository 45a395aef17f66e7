import type { DayFormat } from "@milkwood/domain/kernel/calendar"
import { formatDay, formatMonth } from "@milkwood/domain/kernel/calendar"
import type { ListWords } from "@milkwood/domain/kernel/list"
import { type Currency, currencySigns, formatAmount, formatMoney } from "@milkwood/domain/kernel/money"
import type { CellKind, FileColumn } from "../platform/lists/file-column.ts"
import type { Letterhead } from "../platform/pdf/letter.ts"
import type { ReportRequest } from "./asked-report.ts"
import type { ChartPoint } from "./report-rows.ts"
import { type Subtotal, Subtotals, subtotalColumnOf } from "./report-subtotals.ts"

export interface ReportHead {
  organisation: Letterhead
  title: string
  words: string
  madeBy: string
  madeAt: string
  timezone: string
  dateFormat: DayFormat
  currency: Currency
  /** `isWhole`: the values are never truncated, unlike names. */
  columns: { title: string; isNumber: boolean; isWhole: boolean }[]
  count: number
  sample: string[][]
  totals: string[] | null
  subtotals: number
  figures: { label: string; value: string }[]
  noun: string
  chart: { names: string[]; points: { label: string; values: number[]; shown: string[] }[] } | null
}

export type ReportLine = string[] | { subtotal: string; cells: string[] }

export type ReportDocumentContext = Pick<
  ReportHead,
  "organisation" | "madeBy" | "madeAt" | "timezone" | "dateFormat" | "currency"
> & {
  chart: ChartPoint[] | null
}

const sampleRowLimit = 200

const isNumber = (kind: CellKind): boolean => kind === "money" || kind === "count" || kind === "tenths"

function formatCell(kind: CellKind, value: string | number | null, format: DayFormat): string {
  if (value === null || value === "") return ""
  if (kind === "day" && /^\d{4}-\d\d-\d\d$/.test(String(value))) return formatDay(String(value), format)
  if (kind === "month" && /^\d{4}-\d\d$/.test(String(value))) return formatMonth(String(value))
  // The column title names the unit.
  if (kind === "money" && typeof value === "number") return formatAmount(Math.round(value * 100))
  const places = kind === "tenths" ? 1 : 0
  return typeof value === "number" ? value.toLocaleString("en-ZA", { minimumFractionDigits: places }) : value
}

export async function createReportDocument(
  { name, words }: { name: string; words: string },
  asked: ReportRequest,
  columns: readonly FileColumn<object>[],
  batches: AsyncIterable<object[]>,
  { rows: count, cells, subtotals }: { rows: number; cells: (number | null)[]; subtotals: number },
  { chart, ...about }: ReportDocumentContext,
): Promise<{ head: ReportHead; parts: AsyncGenerator<ReportLine[]> }> {
  const { report, list } = asked
  const declared = list.declared as ListWords
  // The PDF omits columns hidden by default, which would only narrow the others.
  const kept = Object.values(declared.columns).flatMap(({ hidden, kind, title }, index) =>
    hidden ? [] : [{ ...columns[index]!, title, total: cells[index]!, isReference: kind === "reference" }],
  )
  const hasTotals = count > 0 && kept.some(({ total }) => total !== null)
  const printed = (row: object) => kept.map(({ kind, value }) => formatCell(kind, value(row), about.dateFormat))
  const read =
    subtotals > 0
      ? insertSubtotals(asked, columns, about.dateFormat, batches, printed)
      : reportLinesOf(batches, printed)
  const rest = read[Symbol.asyncIterator]()
  const { value: first = [] } = (await rest.next()) as { value: ReportLine[] | undefined }
  async function* documentParts(): AsyncGenerator<ReportLine[]> {
    yield first
    yield* { [Symbol.asyncIterator]: () => rest }
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
    sample: first.flatMap((line) => (Array.isArray(line) ? [line] : [])).slice(0, sampleRowLimit),
    subtotals,
    figures: hasTotals ? headlineFigures(declared, columns, cells, about) : [],
    totals: hasTotals ? kept.map(({ kind, total }) => formatCell(kind, total, about.dateFormat)) : null,
    chart: chart && hasFigures(chart) ? chartOfPoints(report.chart!.of, declared, chart, about) : null,
  }
  return { head, parts: documentParts() }
}

async function* reportLinesOf(
  batches: AsyncIterable<object[]>,
  printed: (row: object) => string[],
): AsyncGenerator<ReportLine[]> {
  for await (const batch of batches) yield batch.map(printed)
}

async function* insertSubtotals(
  asked: ReportRequest,
  columns: readonly FileColumn<object>[],
  format: DayFormat,
  batches: AsyncIterable<object[]>,
  printed: (row: object) => string[],
): AsyncGenerator<ReportLine[]> {
  const by = subtotalColumnOf(asked)!
  const { columns: declared } = asked.list.declared as ListWords
  const names = Object.keys(declared)
  const { kind, value } = columns[names.indexOf(by)]!
  const subtotals = new Subtotals(asked, by)
  const line = ({ value: shared, cells }: Subtotal): ReportLine => ({
    subtotal: formatCell(kind, value({ [declared[by]!.of ?? by]: shared }), format),
    cells: names.flatMap((name, at) =>
      declared[name]!.hidden ? [] : [formatCell(columns[at]!.kind, cells[at]!, format)],
    ),
  })
  for await (const batch of batches)
    yield batch.flatMap((row) => {
      const ended = subtotals.before(row)
      return ended ? [line(ended), printed(row)] : [printed(row)]
    })
  const last = subtotals.end()
  if (last) yield [line(last)]
}

function headlineFigures(
  { columns }: ListWords,
  files: readonly FileColumn<object>[],
  cells: readonly (number | null)[],
  { dateFormat, currency }: Pick<ReportHead, "dateFormat" | "currency">,
): ReportHead["figures"] {
  const names = Object.keys(columns)
  const ratios = Object.values(columns).flatMap(({ ratio }) => (ratio ? [ratio] : []))
  if (ratios.length === 0) return []
  const opening = [
    ...names.filter((name) => columns[name]!.ratio),
    ...new Set(ratios.flatMap(({ part, whole }) => [part, whole])),
  ]
  return opening.map((name) => {
    const at = names.indexOf(name)
    const total = cells[at]!
    if (columns[name]!.ratio)
      return {
        label: columns[name]!.title.replace(/ %$/, ""),
        value: total === null ? "–" : `${formatCell("tenths", total, dateFormat)} %`,
      }
    return {
      label: columns[name]!.title,
      value:
        files[at]!.kind === "money"
          ? formatMoney(Math.round((total ?? 0) * 100), currency)
          : formatCell("count", total ?? 0, dateFormat),
    }
  })
}

/** A chart needs two points and a non-zero figure. */
const hasFigures = (points: readonly ChartPoint[]): boolean =>
  points.length > 1 && points.some(({ values }) => Object.values(values).some((value) => value !== 0))

function chartOfPoints(
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
        return kind === "money" ? formatMoney(value, currency) : formatCell("count", value, dateFormat)
      }),
    })),
  }
}
