import { fieldOf, type ListWords } from "@milkwood/domain/kernel/list"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import type { ReportRequest } from "./asked-report.ts"
import { extendStatementTimeout, sourceCxOf, totalCellsOf } from "./report-rows.ts"

/** The column whose equal values get subtotals; undefined if the current order has none. */
export function subtotalColumnOf({ report, list, asked }: ReportRequest): string | undefined {
  const { columns, sums = [] } = list.declared as ListWords
  const isShown = Object.entries(columns).some(([name, { of = name, hidden }]) => sums.includes(of) && !hidden)
  const { sort } = { ...list.start, ...asked } as { sort: string }
  return isShown
    ? report.subtotals?.find((name) => sort === (columns[name]?.sort === true ? name : columns[name]?.sort))
    : undefined
}

/** Counts runs of equal values with two or more rows. */
export async function countSubtotals(cx: Cx, report: ReportRequest): Promise<number> {
  const by = subtotalColumnOf(report)
  if (!by) return 0
  await extendStatementTimeout(cx)
  const value = sql.identifier(by)
  const found = await cx.tx.row<{ subtotals: number }>(sql`
    select count(*)::int as subtotals from (
      select from (
        select sum(begins) over (order by nth) as run from (
          select nth, (value is distinct from lag(value) over (order by nth))::int as begins from (
            select r.${value} as value, row_number() over () as nth
            from (${report.list.export(report.asked, sourceCxOf(cx), [by])}) r
          ) rows
        ) marked
      ) runs group by run having count(*) > 1
    ) repeated`)
  return found!.subtotals
}

export interface Subtotal {
  value: unknown
  cells: (number | null)[]
}

/** Streams over the rows; a subtotal follows each run of equal values. */
export class Subtotals {
  readonly #words: ListWords
  readonly #by: string
  #value: unknown
  #rows = 0
  #sums: Record<string, number> = {}

  constructor(report: ReportRequest, by: string) {
    this.#words = report.list.declared as ListWords
    this.#by = by
  }

  before(row: object): Subtotal | undefined {
    const value = fieldOf(row, this.#by, this.#words.columns[this.#by]!)
    const ended = this.#rows > 0 && value !== this.#value ? this.end() : undefined
    this.#value = value
    this.#rows += 1
    for (const name of this.#words.sums ?? [])
      this.#sums[name] = (this.#sums[name] ?? 0) + Number((row as Record<string, unknown>)[name] ?? 0)
    return ended
  }

  end(): Subtotal | undefined {
    const [rows, sums, value] = [this.#rows, this.#sums, this.#value]
    this.#rows = 0
    this.#sums = {}
    return rows > 1 ? { value, cells: totalCellsOf(this.#words, sums) } : undefined
  }
}
