import { useMediaQuery } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { type LinkProps, useLocation, useNavigate } from "@tanstack/react-router"
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useMemo, useRef, useState } from "react"
import { useKeys } from "../../platform/keyboard.ts"
import type { ListPlace, ListSearch } from "../list-address.ts"
import { LoadFailed, RefreshFailed } from "../load-failed.tsx"
import { PageTabs } from "../page-tabs.tsx"
import { useRemembered } from "../remembered.ts"
import { rememberTrail } from "../trail.ts"
import classes from "./data-table.module.css"
import { type ExportFrom, exportFormats, exportHref, exportSelected } from "./export-list.ts"
import { SavedViewsButton } from "./saved-views-button.tsx"
import { TableFooter } from "./table-footer.tsx"
import { TableRows } from "./table-rows.tsx"
import { ListEmpty, TableSkeleton, useLate } from "./table-states.tsx"
import { TableToolbar } from "./table-toolbar.tsx"
import type { BulkAction, BulkStep, Column, Filter, ListAnswer, ListQuery, PageTotal, RowAction } from "./types.ts"

// Asked for when somebody selects or peeks, and on phones: the first pages have 200 KB.
const BulkBar = lazy(() => import("./bulk-bar.tsx")) as typeof import("./bulk-bar.tsx").default
const Peek = lazy(() => import("./peek.tsx")) as typeof import("./peek.tsx").default
const TableCards = lazy(() => import("./table-cards.tsx")) as typeof import("./table-cards.tsx").default

export interface DataTableProps<Row, Search extends ListSearch, Answer extends ListAnswer<Row>> {
  /** Its name: remembers columns, and lets record pages find the next of this list. */
  name: string
  /** What a row is: `{ one: "claim", many: "claims" }`. */
  noun: { one: string; many: string }
  list: ListPlace<Search>
  query: (search: Search) => ListQuery<Answer>
  columns: Column<Row>[]
  rowId: (row: Row) => string
  /** Where a row leads; Enter and a click open it. */
  rowLink?: (row: Row) => LinkProps
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
  /** Nothing matches; "No claims match." when left out. */
  noMatch?: string
  /** The fixed text of a failed load: "Failed to load claims data". */
  failed?: string
  /** Right of the search field, beside filters. */
  tools?: ReactNode
  /** Marks a row, with its reason read out: a claim that waits for more than 7 days. */
  highlight?: (row: Row) => string | undefined
}

/**
 * A list whose paging, sorting, search, tabs and filters happen in the database and stand in the address.
 *
 *     const list = useListPlace(Route.useSearch())
 *     <DataTable
 *       name="claims" noun={{ one: "claim", many: "claims" }} list={list}
 *       query={(search) => api.claims.list.queryOptions({ input: search })}
 *       rowId={(claim) => claim.id}
 *       rowLink={(claim) => linkOptions({ to: "/claims/$claimId", params: { claimId: claim.id } })}
 *       columns={[
 *         { key: "number", header: "Claim", sort: "number", width: 150, card: "title", cell: (c) => <DocumentNumber>{c.number}</DocumentNumber> },
 *         { key: "member", header: "Member", cell: (c) => c.memberName },
 *         { key: "amount", header: "Claimed", align: "right", width: 130, cell: (c) => <MoneyText cents={c.requestedAmountCents} /> },
 *         { key: "status", header: "Status", card: "aside", cell: (c) => <StatusBadge status={c.status} /> },
 *       ]}
 *       tabs={[{ value: "all", label: "All", count: (a) => a.counts.all }, …]}
 *       filters={[{ name: "type", label: "Type", kind: "choice", options: claimTypeOptions }]}
 *       rowActions={(c) => [{ label: "View details", link: … }]}
 *       pageTotal={{ label: "Claimed", of: (c) => c.requestedAmountCents }}
 *       savedViews exportFrom={{ path: "/api/claims" }}
 *       empty={{ title: "No claims found.", action: <NewClaimButton /> }}
 *     />
 *
 * Keyboard: j k move, Enter open, Space peek, x select, / search, . actions. On a phone each row is a card.
 */
export function DataTable<Row, Search extends ListSearch, Answer extends ListAnswer<Row>>(
  props: DataTableProps<Row, Search, Answer>,
) {
  const { name, list, columns, rowId, rowLink, noun } = props
  const navigate = useNavigate()
  const phone = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false })
  const [chosen, setChosen] = useRemembered<string[] | null>(`columns-${name}`, null)
  const shownColumns = useMemo(() => {
    const shown = columns.filter((column) => (chosen ? chosen.includes(column.key) : !column.hidden))
    return shown.length > 0 ? shown : columns.slice(0, 1)
  }, [columns, chosen])

  const query = useQuery({ ...props.query(list.search), placeholderData: keepPreviousData })
  const before = useRef<Answer>(undefined)
  if (query.data) before.current = query.data
  // A failed load of the next page keeps the rows of this one, which the cache itself would drop.
  const answer = query.data ?? before.current
  const rows = answer?.rows ?? []
  const pageCount = (counted: Answer | undefined) => Math.ceil((counted?.total ?? 0) / list.search.pageSize)
  const late = useLate(query.isFetching && (query.isPlaceholderData || !answer))

  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [everyMatch, setEveryMatch] = useState(false)
  const [current, setCurrent] = useState<string>()
  const [peeking, setPeeking] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const searchField = useRef<HTMLInputElement>(null)
  const currentRow = rows.find((row) => rowId(row) === current)

  const choose = (next: ReadonlySet<string>) => {
    setEveryMatch(false)
    setSelected(next)
  }
  const toggle = (id: string) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    choose(next)
  }
  const focusRow = (id: string) => {
    setCurrent(id)
    const row = root.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`)
    const target = row?.querySelector<HTMLElement>("[data-row-link]") ?? row
    target?.focus()
    row?.scrollIntoView({ block: "nearest" })
  }
  const move = (by: number) => {
    if (rows.length === 0) return
    const at = rows.findIndex((row) => rowId(row) === current)
    const next = at === -1 ? (by > 0 ? 0 : rows.length - 1) : Math.min(Math.max(at + by, 0), rows.length - 1)
    focusRow(rowId(rows[next]!))
  }
  const {
    pathname: path,
    state: { openRow },
  } = useLocation()
  const remember = () => {
    if (!rowLink) return
    rememberTrail(name, {
      many: noun.many,
      path,
      search: list.search,
      pages: pageCount(answer),
      ends: answer?.ends,
      rows: rows.map((row) => ({ id: rowId(row), link: rowLink(row) })),
    })
  }
  const open = (row: Row, replace = false) => {
    if (!rowLink) return
    remember()
    void navigate({ ...rowLink(row), replace } as Parameters<typeof navigate>[0])
  }
  // "Next" of the last record of a page leads through the page after it.
  const isHere = query.isSuccess && !query.isPlaceholderData
  const openNeighbour = useEffectEvent((end: "first" | "last") => {
    const row = rows.at(end === "first" ? 0 : -1)
    if (row) open(row, true)
  })
  useEffect(() => {
    if (openRow && isHere) openNeighbour(openRow)
  }, [openRow, isHere])

  useKeys({
    j: () => move(1),
    k: () => move(-1),
    x:
      (props.bulkActions || props.bulkSteps || props.exportFrom) && currentRow
        ? () => toggle(rowId(currentRow))
        : undefined,
    "/": props.searchLabel === false ? undefined : () => searchField.current?.focus(),
    Space: (event) => {
      const target = event.target as HTMLElement
      if (!currentRow || target.closest("button, input, summary")) return false
      setPeeking((was) => !was)
    },
    Enter: (event) => {
      if (!currentRow || (event.target as HTMLElement).closest("a, button, input, summary")) return false
      open(currentRow)
    },
    ".": () => {
      if (!current) return false
      root.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(current)}"] [data-row-menu]`)?.click()
    },
  })

  const search: ListSearch = list.search
  const pages = pageCount(answer)
  const beyondEnd = isHere && rows.length === 0 && pages > 0 && search.page > pages && !answer?.totalIsCapped
  const toLastPage = useEffectEvent(() => list.go({ page: pages } as Partial<Search>, { replace: true }))
  useEffect(() => {
    if (beyondEnd) toLastPage()
  }, [beyondEnd])
  const untouched = search.search === "" && list.filtered.length === 0
  const firstTab = props.tabs?.[0]?.value
  const nothingYet = untouched && search.page === 1 && (search.tab === undefined || search.tab === firstTab)
  const onlyPage = selected.size > 0 && selected.size === rows.length && (answer?.total ?? 0) > rows.length

  const shownKeys = shownColumns.map((column) => column.key)
  const { exportFrom } = props
  const bulkActions = exportFrom
    ? [...(props.bulkActions ?? []), ...exportSelected(exportFrom, list.search, shownKeys)]
    : (props.bulkActions ?? (props.bulkSteps && []))

  const exports = exportFrom
    ? exportFormats.map(({ format, label }) => ({
        label,
        href: exportHref(exportFrom, list.search, shownKeys, format),
      }))
    : []

  const table = {
    ...props,
    bulkActions,
    rows,
    columns: shownColumns,
    current,
    selected,
    everyMatch,
    onCurrent: setCurrent,
    onToggle: toggle,
    onToggleAll: () => choose(selected.size === rows.length ? new Set() : new Set(rows.map(rowId))),
    onOpen: open,
    onFollow: remember,
  }

  return (
    <div className={classes.root} data-list ref={root}>
      {props.tabs && (
        <PageTabs
          label={`Views of ${noun.many}`}
          tabs={props.tabs.map(({ value, label, count }) => ({
            label,
            count: answer && count?.(answer),
            capped: answer?.cappedTabs?.includes(value),
            active: value === (search.tab ?? firstTab),
            link: {
              to: ".",
              search: (was: object) => ({ ...was, tab: value, page: 1, after: undefined, before: undefined }) as never,
              resetScroll: false,
            },
          }))}
          onLeave={() => choose(new Set())}
        />
      )}
      <TableToolbar
        list={list}
        filters={props.filters ?? []}
        named={answer?.filteredBy}
        searchLabel={props.searchLabel ?? `Search ${noun.many}`}
        searchField={searchField}
        columns={phone ? [] : columns}
        shown={shownKeys}
        onColumns={setChosen}
        exports={exports}
        tools={props.tools}
        views={
          props.savedViews && (
            <SavedViewsButton list={name} search={list.search} columns={chosen} onColumns={setChosen} />
          )
        }
      />
      {selected.size > 0 && bulkActions && (
        <Suspense>
          <BulkBar
            actions={bulkActions}
            steps={props.bulkSteps ?? []}
            rows={rows.filter((row) => selected.has(rowId(row)))}
            onDone={(left) => choose(new Set(left.map(rowId)))}
            noun={noun}
            selection={
              everyMatch
                ? { everyMatch: list.search, count: answer?.total ?? 0 }
                : { ids: [...selected], count: selected.size }
            }
            total={answer?.total ?? 0}
            offerEveryMatch={onlyPage && !everyMatch && bulkActions.some((action) => action.everyMatch)}
            onEveryMatch={() => setEveryMatch(true)}
            onClear={() => choose(new Set())}
          />
        </Suspense>
      )}
      {query.isError && answer && (
        <div className={classes.notice}>
          <RefreshFailed error={query.error} onRetry={query.refetch} busy={query.isFetching} title={props.failed} />
        </div>
      )}
      <div className={classes.body} aria-busy={query.isFetching || undefined} data-late={late || undefined}>
        {!answer && query.isError ? (
          <LoadFailed error={query.error} onRetry={query.refetch} busy={query.isFetching} title={props.failed} />
        ) : !answer ? (
          <TableSkeleton visible={late} columns={shownColumns} phone={phone} rows={10} />
        ) : rows.length === 0 ? (
          <ListEmpty
            nothingYet={nothingYet}
            empty={props.empty}
            noMatch={props.noMatch ?? `No ${noun.many} match.`}
            beyondEnd={answer.total > 0}
            filtered={!untouched}
            onFirstPage={() => list.go({ page: 1 } as Partial<Search>)}
            onClear={list.clear}
          />
        ) : phone ? (
          <Suspense>
            <TableCards {...table} />
          </Suspense>
        ) : (
          <TableRows
            {...table}
            sort={search.sort}
            dir={search.dir}
            onSort={(sort, dir) => list.go({ sort, dir } as Partial<Search>)}
          />
        )}
      </div>
      {answer && answer.total > 0 && (
        <TableFooter
          search={search}
          noun={noun}
          rows={rows}
          total={answer.total}
          capped={answer.totalIsCapped}
          ends={answer.ends}
          pageTotal={props.pageTotal}
          onGo={(patch) => {
            choose(new Set())
            list.go(patch as Partial<Search>)
          }}
        />
      )}
      {peeking && currentRow && (
        <Suspense>
          <Peek
            columns={columns}
            row={currentRow}
            title={props.rowName?.(currentRow) ?? `This ${noun.one}`}
            onClose={() => {
              setPeeking(false)
              if (current) focusRow(current)
            }}
            onOpen={rowLink ? () => open(currentRow) : undefined}
          >
            {props.peek?.(currentRow)}
          </Peek>
        </Suspense>
      )}
    </div>
  )
}
