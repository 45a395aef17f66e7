import type { Permission } from "../platform/permission.ts"
import { type Day, parseDay } from "./calendar.ts"

// No schemas here: list declarations are in the web app's first chunk.

export const pageSizes = [25, 50, 100] as const

/** Pages addressed by number from either end; others need a cursor. */
export const maxNumberedPages = 400

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
  /** Path of the value in the row, `group.name`; defaults to the column's key. */
  of?: string
  /** Sortable; a string is the sort's name if it differs from the column's key. */
  sort?: true | string
  hidden?: true
  /** Text for a missing value, such as "By rates". */
  none?: string
  /** Row field with the text for a missing value; if it is null, `none` applies. */
  noneOf?: string
  /** The name of the sum that counts rows without a value in this column. */
  lacks?: string
  /** Number with one decimal. */
  tenths?: true
  /** A percentage; its total is computed from the sums of `part` and `whole`. */
  ratio?: { part: string; whole: string }
}

export interface Column extends ColumnOptions {
  kind: ColumnKind
  title: string
  /** Display names by value of a closed list. */
  names?: Readonly<Record<string, string>>
}

export type Filter =
  /** `all`: label when nothing is selected, "All Status". */
  | {
      kind: "choice"
      label: string
      of?: string
      all?: string
      values: readonly string[]
      names: Readonly<Record<string, string>>
    }
  /** Comma-separated ids; `record` is the record kind. */
  | { kind: "record"; label: string; of?: string; record: string }
  /** Inclusive range: `submittedFrom`, `submittedTo`. */
  | { kind: "days"; label: string; of?: string }
  | { kind: "flag"; label: string; of?: string }
  /**
   * A month, `2026-11`; the source defines which rows match. `all`: label of the choice of every month; the default is
   * the current month.
   */
  | { kind: "month"; label: string; of?: string; all?: string }

export interface ListWords {
  /** Used in file URLs, stored preferences and the audit trail. */
  key: string
  noun: { one: string; many: string }
  permission: Permission
  /** Default sort; `-number` is descending. */
  order: string
  sorts?: readonly string[]
  /** Placeholder; without it the list has no search. */
  search?: string
  /** Each tab selects values of one column, and has a count. */
  tabs?: { by: string; views: Readonly<Record<string, { label: string; values: readonly string[] }>> }
  filters?: Readonly<Record<string, Filter>>
  columns: Readonly<Record<string, Column>>
  /** Amounts of the source, summed over all matching rows. */
  sums?: readonly string[]
}

/**
 * Declares a list once for contract, URL, table, query and file.
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
/** A record number, such as "CLM-2026-000123". */
export const reference = column("reference")
export const person = column("person")
export const day = column("day")
/** A month, as its first day. */
export const calendarMonth = column("month")
/** An instant, shown as its calendar day. */
export const instant = column("instant")
/** An amount in cents. */
export const money = column("money")
export const count = column("count")

const namedColumn =
  <K extends ColumnKind>(kind: K) =>
  <const O extends ColumnOptions = Record<never, never>>(
    title: string,
    names: Readonly<Record<string, string>>,
    options: O = {} as O,
  ) => ({ kind, title, names, ...options })

/** A value of a closed list, by display name. */
export const words = namedColumn("words")
export const status = namedColumn("status")

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

export type FilterValues<D extends ListWords> = {
  [K in Exclude<keyof FiltersOf<D>, DaysOf<FiltersOf<D>>>]?: FilterValue<FiltersOf<D>[K]> | undefined
} & { [K in DaysOf<FiltersOf<D>> as `${K}From` | `${K}To`]?: Day | undefined }

export type ListInput<D extends ListWords> = {
  page: number
  pageSize: (typeof pageSizes)[number]
  sort: SortOf<D> & string
  dir: "asc" | "desc"
  search: string
  /** Cursors: id of the row before or after the page. */
  after?: string | undefined
  before?: string | undefined
} & ([TabOf<D>] extends [never] ? unknown : { tab: TabOf<D> }) &
  FilterValues<D>

export function sortsOf<D extends ListWords>(declared: D): [SortOf<D> & string] {
  const ofColumns = Object.entries(declared.columns).flatMap(([key, { sort }]) =>
    sort === undefined ? [] : sort === true ? key : sort,
  )
  return [...(declared.sorts ?? []), ...ofColumns] as never
}

export const tabsOf = <D extends ListWords>(declared: D) =>
  Object.keys(declared.tabs?.views ?? {}) as [TabOf<D>, ...TabOf<D>[]]

export function defaultListInput<D extends ListWords>(declared: D): ListInput<D> {
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

export const idListPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(,[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}){0,49}$/i

export const monthPattern = /^(19|2\d)\d\d-(0[1-9]|1[0-2])$/

const parseFilterDay = (raw: unknown) =>
  typeof raw === "string" && /^(18|19|2\d)\d\d-/.test(raw) ? (parseDay(raw, "YMD") ?? undefined) : undefined

const filterParsers: Record<Filter["kind"], (raw: unknown, filter: Filter) => unknown> = {
  choice: (raw, filter) => (filter.kind === "choice" && filter.values.includes(raw as string) ? raw : undefined),
  record: (raw) => (typeof raw === "string" && idListPattern.test(raw) ? raw : undefined),
  days: parseFilterDay,
  month: (raw, filter) =>
    (typeof raw === "string" && monthPattern.test(raw)) || (raw === "all" && filter.kind === "month" && filter.all)
      ? raw
      : undefined,
  flag: (raw) => (raw === true || raw === "true" ? true : undefined),
}

export const filterNames = (key: string, { kind }: Filter): string[] =>
  kind === "days" ? [`${key}From`, `${key}To`] : [key]

/** Reads filters from untrusted URL parameters; invalid ones become undefined. */
export function parseFilters<D extends ListWords>(declared: D, raw: Record<string, unknown>): FilterValues<D> {
  const read: Record<string, unknown> = {}
  for (const [key, filter] of Object.entries(declared.filters ?? {})) {
    for (const name of filterNames(key, filter)) read[name] = filterParsers[filter.kind](raw[name], filter)
  }
  return read as FilterValues<D>
}

export const namesFromValues = <const V extends string>(values: readonly V[]) =>
  Object.fromEntries(values.map((value) => [value, value])) as Record<V, V>

export const viewsOfValues = <const V extends string>(values: readonly V[], names: Readonly<Record<V, string>>) =>
  ({
    all: { label: "All", values },
    ...Object.fromEntries(values.map((value) => [value, { label: names[value], values: [value] }])),
  }) as Record<"all" | V, { label: string; values: readonly V[] }>

export const emptyTextOf = (row: object, { none, noneOf }: Pick<Column, "none" | "noneOf">): string | undefined =>
  (noneOf === undefined ? undefined : ((row as Record<string, unknown>)[noneOf] as string | null)) ?? none

/** The value by path; `.` is the row itself. */
export function fieldOf(row: object, key: string, { of = key }: Pick<Column, "of">): unknown {
  if (of === ".") return row
  // Fast path: called for every cell of million-row files, mostly with one-step paths.
  if (!of.includes(".")) return (row as Record<string, unknown>)[of] ?? null
  return of.split(".").reduce<unknown>((value, step) => (value as Record<string, unknown> | null)?.[step] ?? null, row)
}
