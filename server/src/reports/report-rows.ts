import { formatMonth, lastOfMonth } from "@milkwood/domain/kernel/calendar"
import { columnTotalOf } from "@milkwood/domain/kernel/column-total"
import { type Column, fieldOf, type ListWords } from "@milkwood/domain/kernel/list"
import { reportsContract } from "@milkwood/domain/reports/reports.contract"
import { type SQL, sql } from "drizzle-orm"
import { type Cx, query } from "../platform/calls/commands.ts"
import { cellOf, type FileColumn, type FileWording, fileColumn, unitsOf } from "../platform/lists/file-column.ts"
import type { ListRequest } from "../platform/lists/place.ts"
import type { Summary } from "../platform/lists/source.ts"
import { parseReportRequest, type ReportRequest } from "./asked-report.ts"

const batchRows = 2_000
/** The first rows may need a full sort. */
const fetchTimeout = "5min"
/** No chart above these counts; time series may have a year of days. */
const maxChartBars = 16
const maxChartPoints = 366

export interface ChartPoint {
  label: string
  values: Record<string, number>
  narrows: Record<string, string> | null
}

export const extendStatementTimeout = ({ tx }: Cx) => tx.run(sql.raw(`set local statement_timeout = '${fetchTimeout}'`))

export const sourceCxOf = ({ actor, today, timezone, currency }: Cx) => ({ actor, today, timezone, currency })

export function fileColumnsOf({ list }: ReportRequest, wording: FileWording): FileColumn<object>[] {
  const { columns } = list.declared as ListWords
  const names = Object.keys(columns)
  return Object.entries(columns).map(([name, column]) => ({
    ...fileColumn(column, (row: object) => fieldOf(row, name, column), wording),
    ...(column.ratio && {
      ratio: { part: names.indexOf(column.ratio.part), whole: names.indexOf(column.ratio.whole) },
    }),
  }))
}

export async function* readReportBatches(cx: Cx, { list, asked }: ReportRequest): AsyncGenerator<object[]> {
  const scope = sourceCxOf(cx)
  const declared = list.declared as ListWords
  const names = Object.entries(declared.columns).flatMap(([name, { of = name, noneOf = [] }]) => [
    of.split(".")[0]!,
    ...[noneOf].flat(),
  ])
  await extendStatementTimeout(cx)
  await cx.tx.run(
    sql`declare reported no scroll cursor for ${list.export(asked, scope, [...new Set([...names, ...(declared.sums ?? [])])])}`,
  )
  const fetched = () => cx.tx.rows<object>(sql.raw(`fetch ${batchRows} from reported`))
  // Prefetches the next batch while this one is written.
  let next = fetched()
  for (;;) {
    const rows = await next
    const isLast = rows.length < batchRows
    if (!isLast) {
      next = fetched()
      // If the consumer stops early, a prefetch error must not be unhandled.
      next.catch(() => {})
    }
    yield rows
    if (isLast) return
  }
}

export class ReportTotals {
  readonly #list: ListWords
  readonly #sums: Record<string, number>
  rows = 0

  constructor({ list }: ReportRequest) {
    this.#list = list.declared
    this.#sums = Object.fromEntries((this.#list.sums ?? []).map((name) => [name, 0]))
  }

  add(rows: readonly object[]): void {
    this.rows += rows.length
    for (const name in this.#sums) {
      let sum = 0
      for (const row of rows) sum += Number((row as Record<string, unknown>)[name] ?? 0)
      this.#sums[name]! += sum
    }
  }

  get cells(): (number | null)[] {
    return totalCellsOf(this.#list, this.#sums)
  }
}

/** Money in whole units; null without a total. */
export const totalCellsOf = ({ columns }: ListWords, sums: Record<string, number>): (number | null)[] =>
  Object.entries(columns).map(([name, column]) => {
    const total = columnTotalOf(name, column, sums)
    return column.kind === "money" ? unitsOf(total) : total
  })

/** The count's name cannot be a column: a grouped custom report has a column "rows". */
export async function readFigures(cx: Cx, { list, asked }: ReportRequest) {
  const { sums: summed = [] } = list.declared as ListWords
  const added = summed.map(
    (name) => sql`, coalesce(sum(r.${sql.identifier(name)}), 0)::bigint as ${sql.identifier(name)}`,
  )
  await extendStatementTimeout(cx)
  const { _count: rows, ...sums } = (await cx.tx.row<{ _count: number } & Record<string, number>>(sql`
    select count(*) as _count${sql.join(added, sql``)} from (${list.export(asked, sourceCxOf(cx), ["id", ...summed])}) r`))!
  return { rows, cells: totalCellsOf(list.declared, sums) }
}

/**
 * Null without a chart. Dates are in date order, closed lists in declared order, other values in row order. Without
 * dates, the largest values are plotted and the rest combined.
 */
function chartRequestOf(asked: ReportRequest): ChartRequest | null {
  const { report, list } = asked
  const { chart } = report
  if (!chart) return null
  const declared = list.declared as ListWords
  const column = declared.columns[chart.by]!
  const added = (name: string): SQL => sql`sum(${sql.identifier(name)})::float8 as ${sql.identifier(name)}`
  const figures = sql.join(chart.of.map(added), sql`, `)
  const hasGroup = chart.by === "groupName" && declared.filters?.groupId !== undefined
  const group = hasGroup ? sql`, min("_groupId"::text) as "_groupId"` : sql``
  const isTime = column.kind === "day" || column.kind === "month"
  const isOrdered = !isTime && !column.names
  const nth = column.names
    ? sql`array_position(${sql.param(Object.keys(column.names))}::text[], r.${sql.identifier(chart.by)}::text)`
    : isOrdered
      ? sql`min(r.nth)`
      : sql`0`
  const placed = (rows: SQL) =>
    isOrdered ? sql`(select w.*, row_number() over () as nth from (${rows}) w)` : sql`(${rows})`
  const isRest = isTime
    ? sql`false`
    : sql`count(*) over () > ${maxChartBars} and row_number() over (order by abs(${sql.identifier(chart.of[0]!)}) desc nulls last, nth) >= ${maxChartBars}`
  const points = (rows: SQL) => sql`
    select "isRest", case when not "isRest" then label end as label, ${figures}${group}
    from (
      select p.*, ${isRest} as "isRest" from (
        select r.${sql.identifier(chart.by)} as label, ${nth} as nth, ${figures}${group}
        from ${placed(rows)} r
        group by 1
      ) p
    ) q
    group by 1, 2 order by 1, ${isTime ? sql`2` : sql`min(nth)`} limit ${maxChartPoints}`
  return {
    columns: [chart.by, ...chart.of, ...(hasGroup ? ["_groupId"] : [])],
    isOrdered,
    of: (rows) => sql`select coalesce(json_agg(p), '[]') from (${points(rows)}) p`,
    shown: (read, timezone) =>
      read.map(({ label, isRest, _groupId, ...values }) => ({
        label: isRest ? "All others" : labelOf(column, cellOf(column, label, timezone)),
        values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value ?? 0)])),
        narrows: isRest || label === null ? null : drillDownQuery(asked, label, _groupId),
      })),
  }
}

function drillDownQuery(
  { report, list, dates, custom }: ReportRequest,
  label: string,
  groupId: string | null | undefined,
): Record<string, string> | null {
  const { by } = report.chart!
  const { columns, filters = {} } = list.declared as ListWords
  if (custom) return null
  if (groupId) return { groupId }
  const choice = Object.entries(filters).find(([name, { kind, of = name }]) => kind === "choice" && of === by)
  if (choice) return { [choice[0]]: label }
  const { kind } = columns[by]!
  const { from, to } = dates
  if ((kind !== "month" && kind !== "day") || !from || !to) return null
  const last = kind === "month" ? lastOfMonth(label) : label
  return { from: label < from ? from : label, to: last > to ? to : last }
}

interface ChartRequest extends Summary {
  shown: (read: ReadPoint[], timezone: string) => ChartPoint[]
}
type ReadPoint = { label: string | null; isRest: boolean; _groupId?: string | null } & Record<string, number | null>

export async function readChart(cx: Cx, asked: ReportRequest): Promise<ChartPoint[] | null> {
  const picture = chartRequestOf(asked)
  if (!picture) return null
  const rows = asked.list.export(asked.asked, sourceCxOf(cx), picture.columns, picture)
  const read = await cx.tx.row<{ points: ReadPoint[] }>(sql`select (${picture.of(rows)}) as points`)
  return picture.shown(read!.points, cx.timezone)
}

export async function reportPage(cx: Cx, asked: ReportRequest) {
  const picture =
    asked.list.statements.countLimit(asked.asked as ListRequest, sourceCxOf(cx)) === undefined
      ? chartRequestOf(asked)
      : null
  const answered = await asked.list.answer(cx, asked.asked, {}, picture ?? undefined)
  const { figures: _, summary, ...answer } = { summary: undefined, ...answered }
  const isAll = answer.total > 0 && !answer.totalIsCapped
  const chart = () => (picture ? picture.shown(summary as unknown as ReadPoint[], cx.timezone) : readChart(cx, asked))
  return { ...answer, dates: asked.dates, chart: isAll ? await chart() : null }
}

const labelOf = ({ kind, none }: Column, cell: string | number | null): string =>
  cell === null ? "None" : kind === "month" && cell !== none ? formatMonth(String(cell)) : String(cell)

export const readReportRows = query(
  reportsContract.rows,
  (cx) => reportPage(cx, parseReportRequest(cx.input.report, cx.input.query, cx)) as never,
  { heavy: true },
)
