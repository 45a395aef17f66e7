import { fieldOf, type ListWords } from "@milkwood/domain/kernel/list"
import { reportsContract } from "@milkwood/domain/reports/reports.contract"
import { type SQL, sql } from "drizzle-orm"
import { type Cx, query } from "../platform/calls/commands.ts"
import { cellOf, type FileColumn, fileColumn, rands } from "../platform/lists/file-column.ts"
import { type AskedReport, askedReport } from "./asked-report.ts"

/** How many rows are held at once. */
const batchRows = 500
/** So long may the next rows of a report take, whose first ones may need all to be sorted. */
const patience = "5min"
/** A picture of more than so many is none. */
const mostBars = 24

export interface ChartPoint {
  label: string
  values: Record<string, number>
}

const scopeOf = ({ actor, today, timezone }: Cx) => ({ actor, today, timezone })

/** All columns of a report as its files have them; each reads the rows that `reportBatches` answers. */
export const fileColumns = ({ list }: AskedReport, timezone: string): FileColumn<object>[] =>
  Object.entries((list.declared as ListWords).columns).map(([name, column]) =>
    fileColumn(column, (row: object) => fieldOf(row, name, column), timezone),
  )

/** Every row that a report has, in its order, in batches of one transaction; what the reader may not see is hidden. */
export async function* reportBatches(cx: Cx, { list, asked }: AskedReport): AsyncGenerator<object[]> {
  const scope = scopeOf(cx)
  const declared = list.declared as ListWords
  const names = Object.entries(declared.columns).map(([name, { of = name }]) => of.split(".")[0]!)
  await cx.tx.run(sql.raw(`set local statement_timeout = '${patience}'`))
  await cx.tx.run(
    sql`declare reported no scroll cursor for ${list.whole(asked, scope, [...new Set([...names, ...(declared.sums ?? [])])])}`,
  )
  for (;;) {
    const rows = await cx.tx.rows<object>(sql.raw(`fetch ${batchRows} from reported`))
    yield rows.map((row) => list.hidden(row, scope))
    if (rows.length < batchRows) return
  }
}

/** The totals of a file's columns as its rows go by, in the units of its cells; null for a column that is not added up. */
export class Totals {
  readonly #names: (string | null)[]
  readonly #isMoney: boolean[]
  readonly #sums: number[]
  rows = 0

  constructor({ list }: AskedReport) {
    const { columns, sums = [] } = list.declared as ListWords
    const named = Object.entries(columns)
    this.#names = named.map(([name, { of = name }]) => (sums.includes(of) ? of : null))
    this.#isMoney = named.map(([, { kind }]) => kind === "money")
    this.#sums = named.map(() => 0)
  }

  add(rows: readonly object[]): void {
    this.rows += rows.length
    this.#names.forEach((name, index) => {
      if (name !== null)
        for (const row of rows) this.#sums[index]! += Number((row as Record<string, unknown>)[name] ?? 0)
    })
  }

  /** Money in rands, as cells have it. */
  get cells(): (number | null)[] {
    return this.#names.map((name, index) =>
      name === null ? null : this.#isMoney[index] ? rands(this.#sums[index]!) : this.#sums[index]!,
    )
  }
}

/** What the picture of a report compares: its figures added up over the rows that share a value; null for one without. */
export async function chartOf(cx: Cx, { report, list, asked }: AskedReport): Promise<ChartPoint[] | null> {
  const { chart } = report
  if (!chart) return null
  const declared = list.declared as ListWords
  const column = declared.columns[chart.by]!
  const figure = (name: string): SQL =>
    sql`coalesce(sum(r.${sql.identifier(name)}), 0)::float8 as ${sql.identifier(name)}`
  const rows = await cx.tx.rows<Record<string, string | number>>(sql`
    select r.${sql.identifier(chart.by)} as label, ${sql.join(chart.of.map(figure), sql`, `)}
    from (select w.*, row_number() over () as nth from (${list.whole(asked, scopeOf(cx), [chart.by, ...chart.of])}) w) r
    group by 1 order by min(r.nth) limit ${mostBars}`)
  return rows.map(({ label, ...values }) => ({
    label: String(cellOf(column, label, cx.timezone) ?? "None"),
    values: values as Record<string, number>,
  }))
}

export const readReportRows = query(
  reportsContract.rows,
  async (cx) => {
    const asked = askedReport(cx.input.report, cx.input.query, cx)
    const answer = await asked.list.page(cx, asked.asked)
    return { ...answer, dates: asked.dates, chart: answer.total > 0 ? await chartOf(cx, asked) : null } as never
  },
  { heavy: true },
)
