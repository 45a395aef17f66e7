import type { Day } from "@milkwood/domain/kernel/calendar"
import type { ListInput, ListWords, SortOf } from "@milkwood/domain/kernel/list"
import type { SQL } from "drizzle-orm"
import type { Actor } from "../calls/actor.ts"

/** What a source may depend on. */
export interface SourceCx {
  actor: Actor
  today: Day
  timezone: string
}

/** Counts and sums over rows of one value of the tabs' column; all rows have the value "" where there are no tabs. */
export type Figures = Record<string, Record<string, number>>

export interface ListSource<D extends ListWords, Row> {
  /**
   * A select that can be run as it stands: the columns of the rows, by their names there, and, under names that begin
   * with `_`, what is sorted, searched and judged by and answered to nobody. Other tables are joined from the left, so
   * that PostgreSQL joins those alone that a statement uses: none to count, all of them for the rows of one page.
   */
  select: (cx: SourceCx, asked: ListInput<D>) => SQL
  /** The select of its file, which may have columns that take a pass over everything: a running balance. */
  file?: (cx: SourceCx, asked: ListInput<D>) => SQL
  /** Whose rows are worked out, a few thousand at most: once for a statement, however often it names them. */
  once?: true
  /** The columns that the rows of a page are made of, where what is sorted and searched by makes them much longer; else all. */
  read?: readonly string[]
  /** More columns of the rows of a page, over `s`: what no file and no order needs. */
  page?: (cx: SourceCx) => SQL
  /** What a search compares with a LIKE pattern, by `has`; where everybody's rows are searched an index serves each. */
  search?: (pattern: string, cx: SourceCx, text: string) => Compared[]
  /** The columns of a sort; left out, the column that the list declares. */
  order?: Partial<Record<SortOf<D> & string, readonly string[]>>
  /** Sorts whose column may be empty: what is empty comes last, both ways. */
  emptyLast?: readonly (SortOf<D> & string)[]
  /** Filters that are more than a comparison with a column, over `s`. */
  filters?: Record<string, (value: never, cx: SourceCx) => SQL>
  /** Filters that narrow the rows, and leave the figures around the list as they are. */
  ofView?: readonly string[]
  /** What is added up in each value of the tabs' column beside the list's sums, over `s`. */
  figures?: Record<string, SQL>
  /** Whose rows are of a group, `_groupId`, and shown to readers who see their groups alone. */
  ofGroups?: true
  /** Counting stops here, when counting all takes longer than all the rest. */
  countTo?: number
  /**
   * Counts that the database keeps: a select of rows with their `count` and what is summed, by the columns that these
   * filters compare.
   */
  kept?: { filters: readonly string[]; select: (cx: SourceCx, asked: ListInput<D>) => SQL }
  /** What this reader may not see is hidden, in the list and in its file. */
  hide?: (row: never, cx: SourceCx) => object
  /** The row as the contract has it: with what may be done with it. */
  present: (row: never, cx: never) => Row
}

export interface Compared {
  /** Over `s`. */
  like: SQL
  /** Where it is another table that has it: the column with its ids, and the statement of those that match. */
  by?: { column: string; ids: SQL }
}
