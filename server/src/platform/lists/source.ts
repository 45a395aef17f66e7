import type { Day } from "@milkwood/domain/kernel/calendar"
import type { ListInput, ListWords, SortOf } from "@milkwood/domain/kernel/list"
import type { Currency } from "@milkwood/domain/kernel/money"
import { type SQL, sql } from "drizzle-orm"
import type { Actor } from "../calls/actor.ts"

/** What a source may depend on. */
export interface SourceCx {
  actor: Actor
  today: Day
  timezone: string
  currency: Currency
}

/** PostgreSQL takes the groups of row-level security for so many. */
export const manyGroups = 10

/** Counts and sums over rows of one value of the tabs' column; all rows have the value "" where there are no tabs. */
export type Figures = Record<string, Record<string, number>>

export interface ListSource<D extends ListWords, Row> {
  /**
   * A select that can be run as it stands: the columns of the rows, by their names there, and, under names that begin
   * with `_`, what is sorted, searched and judged by and answered to nobody. Other tables are joined from the left, so
   * that PostgreSQL joins those alone that a statement uses: none to count, all of them for the rows of one page.
   */
  select: (cx: SourceCx, asked: ListInput<D>) => SQL
  /** Of these columns, those that the list's own table has; `select` begins with them. */
  own?: Own
  /** The select of its file, which may have columns that take a pass over everything: a running balance. */
  file?: (cx: SourceCx, asked: ListInput<D>) => SQL
  /** Whose rows are worked out, a few thousand at most: once for a statement, however often it names them. */
  once?: boolean
  /** Whose rows are those of several tables: a page's are looked up by their ids in each, where a join would read all. */
  union?: true
  /** The columns that the rows of a page are made of, where what is sorted and searched by makes them much longer; else all. */
  read?: readonly string[]
  /** More columns of the rows of a page, over `s`: what no file and no order needs. */
  page?: (cx: SourceCx) => SQL
  /** What a search compares with a LIKE pattern, by `has`; where everybody's rows are searched an index serves each. */
  search?: (pattern: string, cx: SourceCx, text: string) => Compared[]
  /** How many matches a search collects and counts: fewer than usual where very many match and nothing is added up. */
  collected?: (cx: SourceCx, search: string) => number | undefined
  /** The columns of a sort; left out, the column that the list declares. */
  order?: Partial<Record<SortOf<D> & string, readonly string[]>>
  /** Sorts whose column may be empty: what is empty comes last, both ways. */
  emptyLast?: readonly (SortOf<D> & string)[]
  /**
   * Columns of a few other records that very many rows have each: these records, with the column and `by`, which names
   * them in the rows. Where nothing but a tab narrows all rows, a page in their order takes of each as many as it holds.
   */
  ranked?: Record<string, { by: string; records: SQL }>
  /** Columns that have one value in all rows of one record, by the filters that ask for it: the group of a policy. */
  same?: Record<string, readonly string[]>
  /** Filters that are more than a comparison with a column, over `s`. */
  filters?: Record<string, (value: never, cx: SourceCx) => SQL>
  /** Filters that narrow the rows, and leave the figures around the list as they are. */
  ofView?: readonly string[]
  /** The columns that `figures`, and filters of one's own that are of the view, are made of. */
  judged?: readonly string[]
  /** What is added up in each value of the tabs' column beside the list's sums, over `s`. */
  figures?: Record<string, SQL>
  /** Whose rows are of a group, `_groupId`, and shown to readers who see their groups alone. */
  ofGroups?: true
  /** Counting stops here, when counting all takes longer than all the rest; sums are of what was counted to its end. */
  countTo?: number
  /**
   * Counts that the database keeps: a select of rows with their `count` and what is summed, by the tabs' column. What
   * these filters ask is `matching`, a condition over `s`.
   */
  kept?: { filters: readonly string[]; select: (cx: SourceCx, asked: ListInput<D>, matching: SQL) => SQL }
  /** What this reader may not see is hidden, in the list and in its file. */
  hide?: (row: never, cx: SourceCx) => object
  /** The row as the contract has it: with what may be done with it. */
  present: (row: never, cx: never) => Row
}

/** A table with its alias, and its columns over it by the names that the list gives them. */
export interface Own {
  table: string
  columns: Record<string, string>
}

/** The columns of the list's own table, to be selected. */
export const ownColumns = ({ columns }: Pick<Own, "columns">, names: Iterable<string> = Object.keys(columns)): SQL =>
  sql.raw([...names].map((name) => `${columns[name]} as "${name}"`).join(", "))

export interface Compared {
  /** Over `s`. */
  like: SQL
  /**
   * Where a statement of its own finds it, in another table, or for readers whom no index serves: the column with its
   * ids, and the statement of those that match, so many at most; those that come later in the order may be left out.
   */
  by?: { column: string; ids: Ids }
}

export type Ids = (atMost?: number, within?: Within) => SQL

/** What the first column of the order has at most, or at least, in the rows that are looked for. */
export interface Within {
  column: string
  way: "<=" | ">="
  value: SQL
}

/** What is said of all rows beside a page of them: a select of one value, over the rows with these columns. */
export interface Beside {
  columns: readonly string[]
  /** Whether it needs the rows in their order. */
  isOrdered: boolean
  of: (rows: SQL) => SQL
}
