import { type Day, parseDay } from "@milkwood/domain/kernel/calendar"
import {
  filtersIn,
  type ListInput,
  type ListWords,
  numberedPages,
  pageSizes,
  sortsOf,
  startOf,
  tabsOf,
} from "@milkwood/domain/kernel/list"
import { type SearchSchemaInput, stripSearchParams, useNavigate } from "@tanstack/react-router"
import { useCallback, useMemo } from "react"

/** What every list carries in its address, and hands to the server as it is. */
export interface ListSearch {
  page: number
  pageSize: (typeof pageSizes)[number]
  sort: string
  dir: "asc" | "desc"
  search: string
  tab?: string
  after?: string | undefined
  before?: string | undefined
}

/** The ids of the first and the last row of a page. */
export type Ends = { first: string; last: string } | null | undefined

/**
 * Where a page of a list is, for its address: by its number as far as pages are numbered, beyond that by the row that
 * it follows or comes before.
 */
export function pageAt(from: { page: number }, page: number, ends: Ends) {
  const beside = page > numberedPages && ends
  return {
    page,
    after: beside && page === from.page + 1 ? ends.last : undefined,
    before: beside && page === from.page - 1 ? ends.first : undefined,
  }
}

/** Reads one filter out of the address; undefined when it is absent or nonsense. */
export type FilterReader<T> = (raw: unknown) => T | undefined

/** A filter with a closed list of values. */
export const oneOf =
  <const T extends string>(values: readonly T[]): FilterReader<T> =>
  (raw) =>
    values.includes(raw as T) ? (raw as T) : undefined

/** A filter with an id or a word. */
export const text: FilterReader<string> = (raw) =>
  typeof raw === "string" && raw !== "" ? raw : typeof raw === "number" ? String(raw) : undefined

/** A filter with a day of the calendar, `YYYY-MM-DD`. */
export const aDay: FilterReader<Day> = (raw) =>
  typeof raw === "string" && /^(18|19|2\d)\d\d-/.test(raw) ? (parseDay(raw, "YMD") ?? undefined) : undefined

const anId: FilterReader<string> = (raw) => (typeof raw === "string" && /^[\da-f-]{36}$/i.test(raw) ? raw : undefined)

/** A filter that is on or off. */
export const flag: FilterReader<true> = (raw) => (raw === true || raw === "true" ? true : undefined)

type Filters = Record<string, FilterReader<unknown>>

function commonIn(given: Record<string, unknown>, start: ListSearch, sorts: readonly string[]) {
  const page = Number(given.page)
  return {
    page: Number.isSafeInteger(page) && page > 0 ? page : start.page,
    pageSize: pageSizes.find((size) => size === Number(given.pageSize)) ?? start.pageSize,
    sort: oneOf(sorts)(given.sort) ?? start.sort,
    dir: oneOf(["asc", "desc"])(given.dir) ?? start.dir,
    search: text(given.search)?.slice(0, 200) ?? "",
    after: anId(given.after),
    before: anId(given.before),
  }
}

/**
 * The address parameters of a declared list: typed, tolerant of nonsense, and absent from the address while they are
 * what one starts with. Their names are those of the contract's input, so that a page hands them on as they are.
 *
 *     export const Route = createFileRoute("/_app/claims/")({ ...listAddress(claimsList), component: ClaimsPage })
 *     // <Link to="/claims" search={{ tab: "pending" }}>: everything else is optional
 *
 * `more` is what stands in the address besides, such as `new` for the form above the list. `tabs` are those of the page
 * that a list without tabs stands on.
 */
export function listAddress<
  const D extends ListWords,
  More extends Filters = Record<never, FilterReader<unknown>>,
  const Tab extends string = never,
>(declared: D, more?: More, tabs: readonly Tab[] = tabsOf(declared) as string[] as Tab[]) {
  type Place = ListInput<D> & { [K in keyof More]?: NonNullable<ReturnType<More[K]>> } & ([Tab] extends [never]
      ? unknown
      : { tab: Tab })
  const start = { ...startOf(declared), ...(tabs[0] !== undefined && { tab: tabs[0] }) } as unknown as ListSearch
  const validateSearch = (raw: Partial<Place> & SearchSchemaInput): Place => {
    const given: Record<string, unknown> = raw
    return {
      ...commonIn(given, start, sortsOf(declared)),
      ...(start.tab !== undefined && { tab: oneOf(tabs)(given.tab) ?? start.tab }),
      ...filtersIn(declared, given),
      ...Object.fromEntries(Object.entries(more ?? {}).map(([name, reader]) => [name, reader(given[name])])),
    } as never
  }
  return { validateSearch, search: { middlewares: [stripSearchParams<Place>(start as never)] } }
}

export type LooseSearch = Record<string, string | number | boolean>

/** An address has words, figures and marks alone, under plain names. */
const loose = (raw: Record<string, unknown>): LooseSearch =>
  Object.fromEntries(
    Object.entries(raw).filter(
      ([name, value]) => /^[a-zA-Z]{1,40}$/.test(name) && ["string", "number", "boolean"].includes(typeof value),
    ),
  ) as LooseSearch

/**
 * The address of a list that its page alone knows: one that is seldom opened, since every first page loads the addresses
 * of all pages, or a report that somebody put together. Its page reads it with `useLooseListPlace`.
 */
export const looseAddress = {
  validateSearch: loose,
  search: { middlewares: [stripSearchParams<LooseSearch>({ page: 1, pageSize: pageSizes[0], search: "" })] },
}

/** A list's place in the address, and how to move it. */
export interface ListPlace<S extends ListSearch> {
  search: S
  /**
   * Moves within the list. Anything but turning the page goes back to page 1. Typing in the search field replaces
   * the entry in the history, everything else adds one.
   */
  go: (patch: Partial<S>, options?: { replace?: boolean }) => void
  /** Back to what one starts with: no search, no filters; tab, sort and page size stay. */
  clear: () => void
  /** Names of the filters that are set. */
  filtered: string[]
}

// `new` opens the form or dialog above a list; it filters nothing.
const own = ["page", "pageSize", "sort", "dir", "search", "tab", "after", "before", "new"]

/**
 * The list of this page, for `DataTable`.
 *
 *     const list = useListPlace(Route.useSearch())
 */
export function useListPlace<S extends ListSearch>(search: S): ListPlace<S> {
  const navigate = useNavigate()
  const go = useCallback(
    (patch: Partial<S>, options: { replace?: boolean } = {}) => {
      void navigate({
        to: ".",
        replace: options.replace ?? false,
        resetScroll: false,
        search: (before: object) => ({ ...before, page: 1, after: undefined, before: undefined, ...patch }),
      })
    },
    [navigate],
  )
  return useMemo(() => {
    const filtered = Object.keys(search).filter((name) => !own.includes(name) && search[name as keyof S] !== undefined)
    return {
      search,
      go,
      filtered,
      clear: () => go({ search: "", ...Object.fromEntries(filtered.map((name) => [name, undefined])) } as Partial<S>),
    }
  }, [search, go])
}

/**
 * The list of a page whose route has a `looseAddress`: `address` says what that means.
 *
 *     const address = listAddress(vatReturnList)
 *     const list = useLooseListPlace(address, Route.useSearch())
 */
export function useLooseListPlace<S extends ListSearch>(
  address: { validateSearch: (raw: never) => S },
  search: LooseSearch,
): ListPlace<S> {
  return useListPlace(useMemo(() => address.validateSearch(search as never), [address, search]))
}
