import { type Day, parseDay } from "@milkwood/domain/kernel/calendar"
import {
  defaultListInput,
  type ListInput,
  type ListWords,
  maxNumberedPages,
  monthPattern,
  pageSizes,
  parseFilters,
  sortsOf,
  tabsOf,
} from "@milkwood/domain/kernel/list"
import { type SearchSchemaInput, stripSearchParams, useNavigate } from "@tanstack/react-router"
import { useCallback, useMemo } from "react"

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

export type PageCursors = { first: string; last: string } | null | undefined

/** Address parameters of a page: its number, or a cursor beyond the last numbered page. */
export function pageParametersOf(from: { page: number }, page: number, ends: PageCursors) {
  const beside = page > maxNumberedPages && ends
  return {
    page,
    after: beside && page === from.page + 1 ? ends.last : undefined,
    before: beside && page === from.page - 1 ? ends.first : undefined,
  }
}

/** Reads one filter from the address; undefined if absent or invalid. */
export type FilterReader<T> = (raw: unknown) => T | undefined

export const oneOfReader =
  <const T extends string>(values: readonly T[]): FilterReader<T> =>
  (raw) =>
    values.includes(raw as T) ? (raw as T) : undefined

export const textReader: FilterReader<string> = (raw) =>
  typeof raw === "string" && raw !== "" ? raw : typeof raw === "number" ? String(raw) : undefined

export const dayReader: FilterReader<Day> = (raw) =>
  typeof raw === "string" && /^(18|19|2\d)\d\d-/.test(raw) ? (parseDay(raw, "YMD") ?? undefined) : undefined

const idReader: FilterReader<string> = (raw) =>
  typeof raw === "string" && /^[\da-f-]{36}$/i.test(raw) ? raw : undefined

export const flagReader: FilterReader<true> = (raw) => (raw === true || raw === "true" ? true : undefined)

export const monthReader: FilterReader<string> = (raw) =>
  typeof raw === "string" && monthPattern.test(raw) ? raw : undefined

type FilterReaders = Record<string, FilterReader<unknown>>
type ReadValues<Readers extends FilterReaders> = { [K in keyof Readers]?: ReturnType<Readers[K]> }

const readAll = <Readers extends FilterReaders>(readers: Readers, given: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(readers).map(([name, reader]) => [name, reader(given[name])]),
  ) as ReadValues<Readers>

/**
 * Address parameters of a page without a list. Each name is set: the router would keep the raw value of an omitted one.
 *
 *     export const Route = createFileRoute("/_app/finance/trial-balance")({ ...addressParameters({ asOf: dayReader }), … })
 */
export const addressParameters = <const Readers extends FilterReaders>(readers: Readers) => ({
  validateSearch: (raw: ReadValues<Readers> & SearchSchemaInput): ReadValues<Readers> => readAll(readers, raw),
})

function readCommonSearch(given: Record<string, unknown>, start: ListSearch, sorts: readonly string[]) {
  const page = Number(given.page)
  return {
    page: Number.isSafeInteger(page) && page > 0 ? page : start.page,
    pageSize: pageSizes.find((size) => size === Number(given.pageSize)) ?? start.pageSize,
    sort: oneOfReader(sorts)(given.sort) ?? start.sort,
    dir: oneOfReader(["asc", "desc"])(given.dir) ?? start.dir,
    search: textReader(given.search)?.slice(0, 200) ?? "",
    after: idReader(given.after),
    before: idReader(given.before),
  }
}

/**
 * Address parameters of a declared list: typed, with invalid values dropped and defaults left out of the address. Names
 * match the contract's input.
 *
 *     export const Route = createFileRoute("/_app/claims/")({ ...listAddress(claimsList), component: ClaimsPage })
 *     // <Link to="/claims" search={{ tab: "pending" }}>: everything else is optional
 *
 * `more`: further parameters, such as `new` for the form above the list. `tabs`: those of the page, if the list has
 * none.
 */
export function listAddress<
  const D extends ListWords,
  More extends FilterReaders = Record<never, FilterReader<unknown>>,
  const Tab extends string = never,
>(declared: D, more?: More, tabs: readonly Tab[] = tabsOf(declared) as string[] as Tab[]) {
  type Place = ListInput<D> & { [K in keyof More]?: NonNullable<ReturnType<More[K]>> } & ([Tab] extends [never]
      ? unknown
      : { tab: Tab })
  const start = {
    ...defaultListInput(declared),
    ...(tabs[0] !== undefined && { tab: tabs[0] }),
  } as unknown as ListSearch
  const validateSearch = (raw: Partial<Place> & SearchSchemaInput): Place => {
    const given: Record<string, unknown> = raw
    return {
      ...readCommonSearch(given, start, sortsOf(declared)),
      ...(start.tab !== undefined && { tab: oneOfReader(tabs)(given.tab) ?? start.tab }),
      ...parseFilters(declared, given),
      ...readAll(more ?? {}, given),
    } as never
  }
  return { validateSearch, search: { middlewares: [stripSearchParams<Place>(start as never)] } }
}

export type LooseSearch = Record<string, string | number | boolean>

const toLooseSearch = (raw: Record<string, unknown>): LooseSearch =>
  Object.fromEntries(
    Object.entries(raw).filter(
      ([name, value]) => /^[a-zA-Z]{1,40}$/.test(name) && ["string", "number", "boolean"].includes(typeof value),
    ),
  ) as LooseSearch

/**
 * For rarely opened pages and custom reports. All routes load at start, so the route does not import the list
 * definition. Read it with `useLooseListPlace`.
 */
export const untypedListAddress = {
  validateSearch: toLooseSearch,
  search: { middlewares: [stripSearchParams<LooseSearch>({ page: 1, pageSize: pageSizes[0], search: "" })] },
}

export interface ListPlace<S extends ListSearch> {
  search: S
  /**
   * Every change except paging resets to page 1. Typing in the search field replaces the history entry; other changes
   * add one.
   */
  go: (patch: Partial<S>, options?: { replace?: boolean }) => void
  clear: () => void
  filtered: string[]
}

const listParameterNames = ["page", "pageSize", "sort", "dir", "search", "tab", "after", "before", "new"]

/**
 * The list state of this page, for `DataTable`.
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
    const filtered = Object.keys(search).filter(
      (name) => !listParameterNames.includes(name) && search[name as keyof S] !== undefined,
    )
    return {
      search,
      go,
      filtered,
      clear: () => go({ search: "", ...Object.fromEntries(filtered.map((name) => [name, undefined])) } as Partial<S>),
    }
  }, [search, go])
}

/**
 * `useListPlace` for a route with `untypedListAddress`.
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
