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

/** Counts and sums per value of the tabs' column; a list without tabs has the single key "". */
export type Figures = Record<string, Record<string, number>>

export interface ListSource<D extends ListWords, Row> {
  /**
   * Columns that begin with `_` serve sorting, searching and `present`, and are stripped from the answer. Use left
   * joins: PostgreSQL drops those that a statement does not use.
   */
  select: (cx: SourceCx, asked: ListInput<D>) => SQL
  present: (row: never, cx: never) => Row
  /** Search conditions over `s`. `has` uses `pattern`; `text` is the user's input. */
  search?: (pattern: string, cx: SourceCx, text: string) => SearchMatch[]
  /** Default: the column that the list declares. `"endOn nulls last"` sorts nulls last in both directions. */
  sortColumns?: Partial<Record<SortOf<D> & string, readonly string[]>>
  /** Conditions over `s`, for filters that are more than a column comparison. */
  filters?: Record<string, (value: never, cx: SourceCx) => SQL>
  /** Rows have a `_groupId`; readers who are restricted to groups see only rows of those groups. */
  groupScoped?: true
  /** Extra columns over `s`, computed only for the rows of a page and for files that contain them. */
  pageColumns?: (cx: SourceCx) => Record<string, SQL>
  /** Extra aggregates over `s`, per value of the tabs' column. */
  totals?: Record<string, Total>
  /** Computes the select once for page and totals: for a few thousand aggregated rows at most. */
  materialized?: boolean
  /** Counting stops at this number of rows; a capped count has no sums. */
  countLimit?: number
}

export interface Total {
  of: readonly string[]
  value: SQL
}

export interface SearchMatch {
  like: SQL
  /** For matches in another table: a query for their ids, and the column of `s` that contains the id. */
  by?: { column: string; ids: IdQuery }
}

/** Returns at most `atMost` ids; may skip ids beyond the bound `within`. */
export type IdQuery = (atMost?: number, within?: OrderBound) => SQL

export interface OrderBound {
  column: string
  way: "<=" | ">="
  value: SQL
}

/** One value computed from all matching rows and returned with a page, such as a report's chart. */
export interface Summary {
  columns: readonly string[]
  isOrdered: boolean
  of: (rows: SQL) => SQL
}
