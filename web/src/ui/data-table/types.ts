import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents, Currency } from "@milkwood/domain/kernel/money"
import type { Room } from "@milkwood/domain/screens"
import type { QueryFunction, QueryKey } from "@tanstack/react-query"
import type { LinkProps } from "@tanstack/react-router"
import type { ComponentType, ReactNode } from "react"
import type { Ends, ListPlace, ListSearch } from "../list-address.ts"

export interface Column<Row> {
  /** Its name, for the remembered choice of columns and for exports. */
  key: string
  header: string
  cell: (row: Row) => ReactNode
  /** The sort of the contract that this header switches; left out, the column does not sort. */
  sort?: string
  /** Money and counts stand right. */
  align?: "left" | "right"
  /** Its least width in pixels; what is to spare is shared by all. */
  width?: number
  /** Sentences: takes what room there is, and wraps. */
  wide?: boolean
  /** Off until it is chosen from the columns menu. */
  hidden?: boolean
  /** On a phone each row is a card: its title, what stands right of the title, a line of label and value, or nothing. */
  card?: "title" | "aside" | "line" | "none"
}

export interface RowAction {
  /** Verb and object. */
  label: string
  icon?: ReactNode
  danger?: boolean
  /** Either leads somewhere … */
  link?: LinkProps
  /** … or does something, or downloads something. */
  onClick?: () => void
  href?: string
  /** How it is downloaded, where somebody waits for it. */
  download?: (href: string) => Promise<void>
}

/** What bulk actions act on: some rows, or everything that the list matches. */
export type Selection<Search> = { ids: string[]; count: number } | { everyMatch: Search; count: number }

export interface BulkAction<Search> {
  label: string
  icon?: ReactNode
  danger?: boolean
  /** Offers "all that match" beside the rows of this page. */
  everyMatch?: boolean
  /** The selection is cleared when this resolves to anything but false. */
  run: (selection: Selection<Search>) => Promise<unknown> | unknown
}

/** What is chosen for all of them: yes or no, or one of several by its id. */
export type Choice = boolean | string

/** An act on each of the selected rows, by the command that one of them takes. */
export interface BulkStep<Row> {
  /** Verb alone, on the bar with the number of rows that allow it: "Send 3". */
  label: string
  /** What it gives, where that is not the row itself: "Download 3 PDFs". */
  gives?: { one: string; many: string }
  danger?: boolean
  /** Whose records it changes, to ask for them anew; left out where it changes none. */
  room?: Room
  /** Whether a row allows it now. */
  may: (row: Row) => boolean
  /** What is asked first, of the rows that allow it. */
  question: (rows: Row[], currency: Currency) => { title: string; words: ReactNode }
  /** A day, a reason and a choice that hold for all of them; of the choice, what is said while it is not made. */
  asks?: { day?: string; reason?: boolean; choice?: string }
  /** What it will do to them, as far as the dialog is filled in, with a choice where there is one. Loaded with the dialog. */
  about?: ComponentType<{ rows: Row[]; day: Day | null; onChoose: (choice: Choice) => void }>
  /** How a row is called in the result, and what was done: "INV-2026-000012", "sent". */
  name: (row: Row) => string
  done: string
  /** Does it to one row; `key` is the same however often it is tried, `choice` left out where none was made. */
  run: (row: Row, given: { key: string; day: Day; reason: string; choice: Choice | undefined }) => Promise<unknown>
}

export type Filter =
  | { name: string; label: string; kind: "choice"; all?: string; options: { value: string; label: string }[] }
  /** A range of days; `name` and `until` are the address's names of its first and its last day. */
  | { name: string; until: string; label: string; kind: "days" }
  | { name: string; label: string; kind: "flag" }
  /** Records by their ids, several separated by commas: employers are chosen here, others where they are shown. */
  | { name: string; label: string; kind: "record"; record: string }

export interface ListAnswer<Row> {
  rows: Row[]
  /** The ids by which the pages around this one are asked for. */
  ends?: Ends
  total: number
  /** The database stopped counting: there are more than `total`. */
  totalIsCapped?: boolean
  /** How many match in each tab. */
  counts?: Record<string, number>
  /** The tabs whose count is where counting stopped. */
  cappedTabs?: string[]
  /** The names of the records that filter the list. */
  filteredBy?: Record<string, { id: string; name: string }[]>
}

/** What `api.<room>.<list>.queryOptions()` gives. */
export interface ListQuery<Answer> {
  queryKey: QueryKey
  queryFn: QueryFunction<Answer>
}

export interface PageTotal<Row> {
  /** What is added up, and over which rows: the footer reads "Claimed on this page R 1 234,50". */
  label: string
  of: (row: Row) => Cents | null
  /** What is not in it, said where a row has no amount: "without those by rates". */
  without?: string
}

/** Where a list is downloaded (the server's `exportList`, without `.csv` and `.xlsx`), and what it is asked with. */
export interface ExportFrom<Search> {
  path: string
  /** The input of the list's contract; left out, the address parameters as they are. */
  input?: (search: Search) => object
  /** It is also a paper: a PDF under the same path. */
  isPaper?: true
  /** The button's text; left out, "Export". */
  label?: string
}

export interface DataTableProps<Row, Search extends ListSearch, Answer extends ListAnswer<Row>> {
  /** Its name: remembers columns, and lets record pages find the next of this list. */
  name: string
  /** What a row is: `{ one: "claim", many: "claims" }`. */
  noun: { one: string; many: string }
  list: ListPlace<Search>
  query: (search: Search) => ListQuery<Answer>
  columns: Column<Row>[]
  rowId: (row: Row) => string
  /** Where a row leads, if anywhere; Enter and a click open it. */
  rowLink?: (row: Row) => LinkProps | undefined
  /** How a row is called where it is talked about: "Actions for CLM-2026-000123". */
  rowName?: (row: Row) => string
  rowActions?: (row: Row) => RowAction[]
  bulkActions?: BulkAction<Search>[]
  /** What the selected rows go through one by one, with a result that says what became of each. */
  bulkSteps?: readonly BulkStep<Row>[]
  /** View tabs with their counts; values are those of the address parameter `tab`. */
  tabs?: { value: string; label: string; count?: (answer: Answer) => number }[]
  filters?: Filter[]
  /** "Search number, member or group"; false for a list without search. */
  searchLabel?: string | false
  /** What Space shows of a row; left out, every column with its value. */
  peek?: (row: Row) => ReactNode
  pageTotal?: PageTotal<Row>
  /** Whether people keep views of it under names of their own; for lists that are a page of their own. */
  savedViews?: boolean
  /** Where what is filtered or selected is downloaded, in the columns shown; for lists with an `exportList`. */
  exportFrom?: ExportFrom<Search>
  /** Nothing yet: the fixed text, and the action that starts. */
  empty: { title: string; words?: ReactNode; action?: ReactNode }
  /** The fixed text while it loads, where there is one: "Loading premium refunds...". */
  loading?: string
  /** Nothing matches; "No claims match." when left out. */
  noMatch?: string
  /** The fixed text of a failed load: "Failed to load claims data". */
  failed?: string
  /** Right of the search field, beside filters. */
  tools?: ReactNode
  /** Marks a row, with its reason read out: a claim that waits for more than 7 days. */
  highlight?: (row: Row) => string | undefined
}
