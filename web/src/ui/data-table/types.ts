import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents, Currency } from "@milkwood/domain/kernel/money"
import type { Room } from "@milkwood/domain/screens"
import type { QueryFunction, QueryKey } from "@tanstack/react-query"
import type { LinkProps } from "@tanstack/react-router"
import type { ComponentType, ReactNode } from "react"
import type { ListPlace, ListSearch, PageCursors } from "../list-address.ts"

export interface Column<Row> {
  /** Identifies the column in saved choices and exports. */
  key: string
  header: string
  cell: (row: Row) => ReactNode
  /** The contract's sort key; without it the column cannot be sorted. */
  sort?: string
  align?: "left" | "right"
  /** Minimum, in pixels; spare room is shared by all columns. */
  width?: number
  wide?: boolean
  hidden?: boolean
  /** Place on the phone card; `aside` = right of the title. */
  card?: "title" | "aside" | "line" | "none"
}

export interface RowAction {
  label: string
  icon?: ReactNode
  danger?: boolean
  link?: LinkProps
  onClick?: () => void
  href?: string
  download?: (href: string) => Promise<void>
}

export type Selection<Search> = { ids: string[]; count: number } | { everyMatch: Search; count: number }

export interface BulkAction<Search> {
  label: string
  icon?: ReactNode
  danger?: boolean
  /** Offers to act on all matching rows, beyond this page. */
  everyMatch?: boolean
  /** The selection is cleared unless this resolves to false. */
  run: (selection: Selection<Search>) => Promise<unknown> | unknown
}

export type Choice = boolean | string

/** Runs the single-record command on each selected row. */
export interface BulkStep<Row> {
  /** The verb only; the bar adds the number of rows that allow it: "Send 3". */
  label: string
  /** The noun of the result if it is not the row: "Download 3 PDFs". */
  gives?: { one: string; many: string }
  danger?: boolean
  /** The module whose queries are refetched afterwards; omitted if no records change. */
  room?: Room
  may: (row: Row) => boolean
  question: (rows: Row[], currency: Currency) => { title: string; words: ReactNode }
  /** Inputs that apply to all rows; `choice` is the message while no choice is made. */
  asks?: { day?: string; reason?: boolean; choice?: string }
  /** A preview of the effect, updated as the dialog is filled in. Loaded with the dialog. */
  about?: ComponentType<{ rows: Row[]; day: Day | null; onChoose: (choice: Choice) => void }>
  /** The row's name and the result, in the summary: "INV-2026-000012", "sent". */
  name: (row: Row) => string
  done: string
  /** `key` is the idempotency key: the same on every retry. */
  run: (row: Row, given: { key: string; day: Day; reason: string; choice: Choice | undefined }) => Promise<unknown>
}

/** Opens its own dialog for the selected rows that allow it. */
export interface BulkDialog<Row> {
  /** As for a bulk step. */
  label: string
  gives?: { one: string; many: string }
  danger?: boolean
  may: (row: Row) => boolean
  /** The selection is cleared unless this resolves to false. */
  open: (rows: Row[]) => Promise<unknown>
}

export type Filter =
  | { name: string; label: string; kind: "choice"; all?: string; options: { value: string; label: string }[] }
  /** `name` and `until` are the address parameters of the first and last day. */
  | { name: string; until: string; label: string; kind: "days" }
  | { name: string; label: string; kind: "flag" }
  /** Comma-separated record ids. Only employers can be chosen in the list itself. */
  | { name: string; label: string; kind: "record"; record: string }

export interface ListAnswer<Row> {
  rows: Row[]
  /** The cursor ids of this page's first and last row. */
  ends?: PageCursors
  total: number
  /** Counting stopped at `total`; there are more rows. */
  totalIsCapped?: boolean
  counts?: Record<string, number>
  cappedTabs?: string[]
  filteredBy?: Record<string, { id: string; name: string }[]>
}

export interface ListQuery<Answer> {
  queryKey: QueryKey
  queryFn: QueryFunction<Answer>
}

export interface PageTotal<Row> {
  /** The footer reads "Claimed on this page R 1 234,50". */
  label: string
  of: (row: Row) => Cents | null
  /** Added if some rows have no amount, such as "without those by rates". */
  without?: string
}

/** `path` is the server's `exportList` route without `.csv` or `.xlsx`. */
export interface ExportSource<Search> {
  path: string
  /** Maps the address parameters to the contract's input; without it they are used as they are. */
  input?: (search: Search) => object
  isPaper?: true
  label?: string
}

export interface DataTableProps<Row, Search extends ListSearch, Answer extends ListAnswer<Row>> {
  /** Key of the remembered columns and of "next record" on record pages. */
  name: string
  noun: { one: string; many: string }
  list: ListPlace<Search>
  query: (search: Search) => ListQuery<Answer>
  columns: Column<Row>[]
  rowId: (row: Row) => string
  rowLink?: (row: Row) => LinkProps | undefined
  rowName?: (row: Row) => string
  rowActions?: (row: Row) => RowAction[]
  bulkActions?: BulkAction<Search>[]
  bulkSteps?: readonly (BulkStep<Row> | BulkDialog<Row>)[]
  tabs?: { value: string; label: string; count?: (answer: Answer) => number }[]
  filters?: Filter[]
  searchLabel?: string | false
  peek?: (row: Row) => ReactNode
  pageTotal?: PageTotal<Row>
  /** Users can save views; only for lists that are a page. */
  savedViews?: boolean
  exportFrom?: ExportSource<Search>
  empty: { title: string; words?: ReactNode; action?: ReactNode }
  loading?: string
  noMatch?: string
  failed?: string
  tools?: ReactNode
  highlight?: (row: Row) => string | undefined
}
