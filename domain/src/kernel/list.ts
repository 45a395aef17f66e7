import type { Permission } from "../platform/permission.ts"
import { type Day, parseDay } from "./calendar.ts"

// Words alone, no shapes: what a list is travels with the first page, as its address.

export const pageSizes = [25, 50, 100] as const

/** So many pages of a list are found by their number, from its first and from its last; others by their neighbours. */
export const numberedPages = 400

export type ColumnKind =
  | "text"
  | "reference"
  | "person"
  | "day"
  | "month"
  | "instant"
  | "money"
  | "count"
  | "words"
  | "status"

interface ColumnOptions {
  /** Where its value stands in the row, `group.name`; left out, by the column's own key. */
  of?: string
  /** Whether one may sort by it, and by which name, when it is not the column's key. */
  sort?: true | string
  /** Off until it is chosen. */
  hidden?: true
  /** The words in place of a missing value: "By rates". */
  none?: string
  /** The field of the row that holds the words in place of a missing value; `none` applies where it is null, too. */
  noneOf?: string
  /** The sum that counts what the sum of this column lacks, because its value is missing. */
  lacks?: string
  /** Of a count: it is told to one decimal, 97,5 per cent say. */
  tenths?: true
  /** Of a percentage: the columns that it is worked out from. Its total is the percentage of their sums. */
  ratio?: { part: string; whole: string }
}

export interface Column extends ColumnOptions {
  kind: ColumnKind
  title: string
  /** How a value of a closed list reads. */
  names?: Readonly<Record<string, string>>
}

export type Filter =
  /** `all` is how it reads while nothing is chosen: "All Status". */
  | {
      kind: "choice"
      label: string
      of?: string
      all?: string
      values: readonly string[]
      names: Readonly<Record<string, string>>
    }
  /** Records by their ids, several separated by commas; `record` is their kind. */
  | { kind: "record"; label: string; of?: string; record: string }
  /** From one day to another, both included: `submittedFrom`, `submittedTo`. */
  | { kind: "days"; label: string; of?: string }
  | { kind: "flag"; label: string; of?: string }
  /**
   * A month of the calendar, `2026-11`; the source decides what it narrows. `all`: the list starts with the current
   * month, and "all", shown as this label, is every month.
   */
  | { kind: "month"; label: string; of?: string; all?: string }

export interface ListWords {
  /** Its name: in addresses of files, in remembered choices, in the trail. */
  key: string
  noun: { one: string; many: string }
  permission: Permission
  /** The sort one starts with; `-number` for descending. */
  order: string
  /** Sorts that no column has. */
  sorts?: readonly string[]
  /** "Search claim number, member or policy group"; a list without it is not searched. */
  search?: string
  /** The views of the list: each holds some values of one column of its source, and is counted. */
  tabs?: { by: string; views: Readonly<Record<string, { label: string; values: readonly string[] }>> }
  filters?: Readonly<Record<string, Filter>>
  columns: Readonly<Record<string, Column>>
  /** What is added up over everything that matches: amounts of the source. */
  sums?: readonly string[]
}

/**
 * Declares a list, once for every floor: the contract's input and answer, the address, the table's columns and filters,
 * the statement on the server, the file.
 *
 *     export const claimsList = list({
 *       key: "claims", noun: { one: "claim", many: "claims" }, permission: "claims.read", order: "-number",
 *       tabs: { by: "status", views: { all: { label: "All", values: claimStatuses }, … } },
 *       filters: { policyId: record("Policy", "policy"), submitted: days("Submitted", { of: "submittedAt" }) },
 *       columns: { number: reference("Claim", { sort: true }), requested: money("Requested", { of: "requestedAmountCents" }) },
 *     })
 */
export const list = <const D extends ListWords>(declared: D): D => declared

const column =
  <K extends ColumnKind>(kind: K) =>
  <const O extends ColumnOptions = Record<never, never>>(title: string, options: O = {} as O) => ({
    kind,
    title,
    ...options,
  })

export const text = column("text")
/** The number of a record: "CLM-2026-000123". */
export const reference = column("reference")
/** A value with a first and a last name. */
export const person = column("person")
export const day = column("day")
/** A month of the calendar, by its first day. */
export const calendarMonth = column("month")
/** A moment, shown as the business day it falls on. */
export const instant = column("instant")
/** Whole cents. */
export const money = column("money")
export const count = column("count")

const named =
  <K extends ColumnKind>(kind: K) =>
  <const O extends ColumnOptions = Record<never, never>>(
    title: string,
    names: Readonly<Record<string, string>>,
    options: O = {} as O,
  ) => ({ kind, title, names, ...options })

/** A value of a closed list, as people read it. */
export const words = named("words")
export const status = named("status")

type FilterOptions = { of?: string }
export const choice = <const V extends string>(
  label: string,
  values: readonly V[],
  names: Readonly<Record<V, string>>,
  options: FilterOptions & { all?: string } = {},
) => ({ kind: "choice" as const, label, values, names, ...options })
export const record = <const R extends string>(label: string, kind: R, options: FilterOptions = {}) => ({
  kind: "record" as const,
  label,
  record: kind,
  ...options,
})
export const days = (label: string, options: FilterOptions = {}) => ({ kind: "days" as const, label, ...options })
export const flag = (label: string, options: FilterOptions = {}) => ({ kind: "flag" as const, label, ...options })
export const month = (label: string, options: { all?: string } = {}) => ({ kind: "month" as const, label, ...options })

type SortOfColumn<K, C> = C extends { sort: infer S } ? (S extends string ? S : K) : never
export type SortOf<D extends ListWords> =
  | { [K in keyof D["columns"]]: SortOfColumn<K, D["columns"][K]> }[keyof D["columns"]]
  | (D extends { sorts: readonly (infer S)[] } ? S : never)

export type TabOf<D extends ListWords> = D extends { tabs: { views: infer V } } ? keyof V & string : never
export type SumOf<D extends ListWords> = D extends { sums: readonly (infer S)[] } ? S & string : never

type FilterValue<F> = F extends { kind: "choice"; values: readonly (infer V)[] }
  ? V
  : F extends { kind: "flag" }
    ? boolean
    : string
type FiltersOf<D extends ListWords> = D extends { filters: infer F } ? F : Record<never, never>
type DaysOf<F> = { [K in keyof F]: F[K] extends { kind: "days" } ? K & string : never }[keyof F]

/** The filters of a list as they stand in its address and in its contract. */
export type FilterValues<D extends ListWords> = {
  [K in Exclude<keyof FiltersOf<D>, DaysOf<FiltersOf<D>>>]?: FilterValue<FiltersOf<D>[K]> | undefined
} & { [K in DaysOf<FiltersOf<D>> as `${K}From` | `${K}To`]?: Day | undefined }

/** What a list is asked with. */
export type ListInput<D extends ListWords> = {
  page: number
  pageSize: (typeof pageSizes)[number]
  sort: SortOf<D> & string
  dir: "asc" | "desc"
  search: string
  /** The page follows this row, or comes before it: its id. */
  after?: string | undefined
  before?: string | undefined
} & ([TabOf<D>] extends [never] ? unknown : { tab: TabOf<D> }) &
  FilterValues<D>

/** Every sort of a list, by name. */
export function sortsOf<D extends ListWords>(declared: D): [SortOf<D> & string] {
  const ofColumns = Object.entries(declared.columns).flatMap(([key, { sort }]) =>
    sort === undefined ? [] : sort === true ? key : sort,
  )
  return [...(declared.sorts ?? []), ...ofColumns] as never
}

export const tabsOf = <D extends ListWords>(declared: D) =>
  Object.keys(declared.tabs?.views ?? {}) as [TabOf<D>, ...TabOf<D>[]]

/** What one starts with: the first page of the first tab, unfiltered, in the list's own order. */
export function startOf<D extends ListWords>(declared: D): ListInput<D> {
  const [first] = tabsOf(declared)
  const start = {
    page: 1,
    pageSize: pageSizes[0],
    sort: declared.order.replace("-", ""),
    dir: declared.order.startsWith("-") ? "desc" : "asc",
    search: "",
  }
  return (first === undefined ? start : { ...start, tab: first }) as never
}

/** One id, or several separated by commas. */
export const someIds = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(,[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}){0,49}$/i

/** A month of the calendar, as a list is filtered by it. */
export const aMonth = /^(19|2\d)\d\d-(0[1-9]|1[0-2])$/

const dayOf = (raw: unknown) =>
  typeof raw === "string" && /^(18|19|2\d)\d\d-/.test(raw) ? (parseDay(raw, "YMD") ?? undefined) : undefined

const readers: Record<Filter["kind"], (raw: unknown, filter: Filter) => unknown> = {
  choice: (raw, filter) => (filter.kind === "choice" && filter.values.includes(raw as string) ? raw : undefined),
  record: (raw) => (typeof raw === "string" && someIds.test(raw) ? raw : undefined),
  days: dayOf,
  month: (raw, filter) =>
    (typeof raw === "string" && aMonth.test(raw)) || (raw === "all" && filter.kind === "month" && filter.all)
      ? raw
      : undefined,
  flag: (raw) => (raw === true || raw === "true" ? true : undefined),
}

/** The names by which a filter stands in an address and in the contract. */
export const filterNames = (key: string, { kind }: Filter): string[] =>
  kind === "days" ? [`${key}From`, `${key}To`] : [key]

/** The filters of an address that may hold anything; what makes no sense is undefined. */
export function filtersIn<D extends ListWords>(declared: D, raw: Record<string, unknown>): FilterValues<D> {
  const read: Record<string, unknown> = {}
  for (const [key, filter] of Object.entries(declared.filters ?? {})) {
    for (const name of filterNames(key, filter)) read[name] = readers[filter.kind](raw[name], filter)
  }
  return read as FilterValues<D>
}

/** A value of a closed list that reads as it is. */
export const asItIs = <const V extends string>(values: readonly V[]) =>
  Object.fromEntries(values.map((value) => [value, value])) as Record<V, V>

/** Tabs for all of a closed list and for each of its values. */
export const eachOf = <const V extends string>(values: readonly V[], names: Readonly<Record<V, string>>) =>
  ({
    all: { label: "All", values },
    ...Object.fromEntries(values.map((value) => [value, { label: names[value], values: [value] }])),
  }) as Record<"all" | V, { label: string; values: readonly V[] }>

/** The words in place of a value that is missing in a row; undefined where the column has none. */
export const noneIn = (row: object, { none, noneOf }: Pick<Column, "none" | "noneOf">): string | undefined =>
  (noneOf === undefined ? undefined : ((row as Record<string, unknown>)[noneOf] as string | null)) ?? none

/** The value of a column in a row, by its path; `.` is the row itself. */
export function fieldOf(row: object, key: string, { of = key }: Pick<Column, "of">): unknown {
  if (of === ".") return row
  // Files of a million rows ask this of every cell, and most columns are one step away.
  if (!of.includes(".")) return (row as Record<string, unknown>)[of] ?? null
  return of.split(".").reduce<unknown>((value, step) => (value as Record<string, unknown> | null)?.[step] ?? null, row)
}
