import type { Day } from "@milkwood/domain/kernel/calendar"
import type { ListInput, ListWords, SortOf } from "@milkwood/domain/kernel/list"
import type { Currency } from "@milkwood/domain/kernel/money"
import { type SQL, sql } from "drizzle-orm"
import type { Actor } from "../calls/actor.ts"

export interface SourceCx {
  actor: Actor
  today: Day
  timezone: string
  currency: Currency
}

export const manyGroups = 10

/** Counts and sums by value of the tabs' column; the value is "" without tabs. */
export type Figures = Record<string, Record<string, number>>

export interface ListSource<D extends ListWords, Row> {
  /**
   * A complete select of the row's columns. Names that begin with `_` are internal (sorting, searching, `present`) and
   * are not returned. Use left joins for other tables, so that PostgreSQL can drop unused ones.
   */
  select: (cx: SourceCx, asked: ListInput<D>) => SQL
  /** The columns of the list's own table; `select` begins with them. */
  own?: Own
  /** Select of the export, which may use columns over all rows, such as a running balance. */
  file?: (cx: SourceCx, asked: ListInput<D>) => SQL
  once?: boolean
  /** Rows from several tables: a page's rows are looked up by id in each, where a join would read all. */
  union?: true
  /** Columns needed for a page's rows, if the sort and search columns are much longer; default all. */
  read?: readonly string[]
  page?: (cx: SourceCx) => SQL
  /** Columns compared with a search pattern by `has`. Each needs an index if all rows are searched. */
  search?: (pattern: string, cx: SourceCx, text: string) => Compared[]
  /** Maximum matches that a search collects and counts; lower for very frequent matches without sums. */
  collected?: (cx: SourceCx, search: string) => number | undefined
  /** Columns of a sort; default the declared column. */
  order?: Partial<Record<SortOf<D> & string, readonly string[]>>
  /** Sorts with a nullable column: nulls are last in both directions. */
  emptyLast?: readonly (SortOf<D> & string)[]
  /**
   * Sort columns that come from a few other records: `records` selects these with the column, and `by` names them in
   * the rows. If only a tab filters the rows, a page reads at most its own size per record.
   */
  ranked?: Record<string, { by: string; records: SQL }>
  same?: Record<string, readonly string[]>
  filters?: Record<string, (value: never, cx: SourceCx) => SQL>
  /** Filters that narrow the rows but not the figures around the list. */
  ofView?: readonly string[]
  /** Columns that `figures` and custom view filters use. */
  judged?: readonly string[]
  figures?: Record<string, SQL>
  /** Rows belong to an employer, `_groupId`, and are visible to readers of single employers. */
  ofGroups?: true
  /** Limit for slow counts; sums appear only if the count is complete. */
  countTo?: number
  /**
   * Counts that the database maintains: a select of `count` and the sums by the tabs' column. `matching` is the
   * condition of these filters, over `s`.
   */
  kept?: { filters: readonly string[]; select: (cx: SourceCx, asked: ListInput<D>, matching: SQL) => SQL }
  hide?: (row: never, cx: SourceCx) => object
  present: (row: never, cx: never) => Row
}

export interface Own {
  table: string
  columns: Record<string, string>
}

export const ownColumns = ({ columns }: Pick<Own, "columns">, names: Iterable<string> = Object.keys(columns)): SQL =>
  sql.raw([...names].map((name) => `${columns[name]} as "${name}"`).join(", "))

export interface Compared {
  like: SQL
  /**
   * For matches found by another statement (another table, or readers without an index): the id column, and the
   * statement with its cap. Rows late in the order may be left out.
   */
  by?: { column: string; ids: Ids }
}

export type Ids = (atMost?: number, within?: Within) => SQL

export interface Within {
  column: string
  way: "<=" | ">="
  value: SQL
}

/** An aggregate over all matching rows, returned with the page. */
export interface Beside {
  columns: readonly string[]
  isOrdered: boolean
  of: (rows: SQL) => SQL
}
