import type { Day } from "@milkwood/domain/kernel/calendar"
import type { ListInput, ListWords, SortOf } from "@milkwood/domain/kernel/list"
import type { Currency } from "@milkwood/domain/kernel/money"
import type { SQL } from "drizzle-orm"
import type { Actor } from "../calls/actor.ts"

export interface SourceCx {
  actor: Actor
  today: Day
  timezone: string
  currency: Currency
}

/** Counts and sums by the value of the tabs' column; a list without tabs has the one value "". */
export type Figures = Record<string, Record<string, number>>

/** What the engine needs beside the declaration. A list that needs more has statements of its own (`ListStatements`). */
export interface ListSource<D extends ListWords, Row> {
  /**
   * A select that runs on its own. Columns whose names begin with `_` serve sorting, searching and `present`, and are
   * not answered. Join other tables from the left: PostgreSQL leaves out the joins that a statement does not use.
   */
  select: (cx: SourceCx, asked: ListInput<D>) => SQL
  /** The row as the contract has it, with its allowed actions. */
  present: (row: never, cx: never) => Row
  /** What a search compares, over `s`; `pattern` is compared by `has`, `text` is what was typed. */
  search?: (pattern: string, cx: SourceCx, text: string) => SearchMatch[]
  /**
   * The columns of a sort. Left out, a sort has the column that the list declares. `"endOn nulls last"` puts empty
   * values last in both directions.
   */
  sortColumns?: Partial<Record<SortOf<D> & string, readonly string[]>>
  /** Conditions over `s` for filters that are more than a comparison with a column. */
  filters?: Record<string, (value: never, cx: SourceCx) => SQL>
  /** Rows belong to a group, `_groupId`, and a reader with groups sees those of their groups. */
  groupScoped?: true
  /** More columns over `s`, by name, computed for the rows of the page and for files that contain them. */
  pageColumns?: (cx: SourceCx) => Record<string, SQL>
  /** Aggregates over `s`, beside the declared sums, for each value of the tabs' column. */
  totals?: Record<string, Total>
  /** Compute the select once for page and totals: for lists whose rows are aggregates, a few thousand at most. */
  materialized?: boolean
  /** Counting stops here; sums are answered only if the count did not stop. */
  countLimit?: number
}

export interface Total {
  /** The columns that the aggregate reads. */
  of: readonly string[]
  value: SQL
}

export interface SearchMatch {
  /** A condition over `s`. */
  like: SQL
  /** A query for the ids that match, and the column of `s` that holds them: for matches in another table. */
  by?: { column: string; ids: IdQuery }
}

/** Answers at most so many ids. It may leave out those beyond a bound of the order. */
export type IdQuery = (atMost?: number, within?: OrderBound) => SQL

/** The least or greatest value of the first sort column that the page can contain. */
export interface OrderBound {
  column: string
  way: "<=" | ">="
  value: SQL
}

/** One value computed from all matching rows, beside a page: the chart of a report. */
export interface Summary {
  columns: readonly string[]
  /** Whether the rows have to be in the order of the list. */
  isOrdered: boolean
  of: (rows: SQL) => SQL
}
