import { useMediaQuery } from "@mantine/hooks"
import type { LinkProps } from "@tanstack/react-router"
import { lazy, memo, type ReactNode, type RefObject, Suspense, useDeferredValue, useMemo, useRef } from "react"
import type { ListPlace, ListSearch } from "../list-address.ts"
import { LoadFailed, RefreshFailed } from "../load-failed.tsx"
import { PageTabs } from "../page-tabs.tsx"
import { useRemembered } from "../remembered.ts"
import classes from "./data-table.module.css"
import { type ExportFrom, exportFormats, exportHref, exportSelected } from "./export-list.ts"
import { SavedViewsButton } from "./saved-views-button.tsx"
import { TableFooter } from "./table-footer.tsx"
import { TableRows } from "./table-rows.tsx"
import { ListEmpty, TableSkeleton } from "./table-states.tsx"
import { TableToolbar } from "./table-toolbar.tsx"
import type { BulkAction, BulkStep, Column, Filter, ListAnswer, ListQuery, PageTotal, RowAction } from "./types.ts"
import { useListAnswer } from "./use-list-answer.ts"
import { useOpening } from "./use-opening.ts"
import { useRowKeys } from "./use-row-keys.ts"
import { useSelection } from "./use-selection.ts"

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
  const { name, list, rowId, noun } = props
  const phone = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false })
  const shown = useShownColumns(name, props.columns)
  const { query, answer, rows, pages, isHere, late } = useListAnswer<Row, Search, Answer>(
    list,
    props.query(list.search),
  )
  const selection = useSelection(rows, rowId)
  const { open, remember } = useOpening(name, rows, props.rowLink, isHere, () => ({
    many: noun.many,
    search: list.search,
    pages,
    ends: answer?.ends,
    rows: rows.map((row) => ({ id: rowId(row), link: props.rowLink!(row) })),
  }))
  const bulkActions = bulkActionsOf(props, shown.keys, rows)
  const root = useRef<HTMLDivElement>(null)
  const searchField = useRef<HTMLInputElement>(null)
  const { current, setCurrent, peeked, stopPeeking } = useRowKeys({
    rows,
    rowId,
    root,
    searchField: props.searchLabel === false ? undefined : searchField,
    onOpen: open,
    onToggle: bulkActions && selection.toggle,
  })

  // What was pressed is seen at once: the tab, the arrow, the page, the box. New rows and the bar follow when there is time.
  const before = useDeferredValue(rows)
  const drawnRows = before.length > 0 ? before : rows
  const search: ListSearch = list.search
  const untouched = search.search === "" && list.filtered.length === 0
  const firstTab = props.tabs?.[0]?.value
  const nothingYet = untouched && search.page === 1 && (search.tab === undefined || search.tab === firstTab)
  const failure = { error: query.error, onRetry: query.refetch, busy: query.isFetching, title: props.failed }
  const table = {
    ...props,
    bulkActions,
    rows: drawnRows,
    columns: shown.columns,
    current,
    selected: selection.selected,
    everyMatch: selection.everyMatch,
    onCurrent: setCurrent,
    onToggle: selection.toggle,
    onToggleAll: selection.toggleAll,
    onOpen: open,
    onFollow: remember,
  }

  return (
    <div className={classes.root} data-list ref={root}>
      {props.tabs && (
        <ViewTabs tabs={props.tabs} tab={search.tab ?? firstTab} noun={noun} answer={answer} onLeave={selection.none} />
      )}
      <Toolbar table={props} shown={shown} phone={phone} searchField={searchField} named={answer?.filteredBy} />
      {bulkActions && (
        <SelectedRows
          table={props}
          actions={bulkActions}
          selection={selection}
          rows={rows}
          total={answer?.total ?? 0}
        />
      )}
      {query.isError && answer && (
        <div className={classes.notice}>
          <RefreshFailed {...failure} />
        </div>
      )}
      <div className={classes.body} aria-busy={query.isFetching || undefined} data-late={late || undefined}>
        {!answer && query.isError ? (
          <LoadFailed {...failure} />
        ) : !answer ? (
          <TableSkeleton visible={late} columns={shown.columns} phone={phone} rows={10} />
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
            selection.none()
            list.go(patch as Partial<Search>)
          }}
        />
      )}
      {peeked && (
        <Suspense>
          <Peek
            columns={props.columns}
            row={peeked}
            title={props.rowName?.(peeked) ?? `This ${noun.one}`}
            onClose={stopPeeking}
            onOpen={props.rowLink ? () => open(peeked) : undefined}
          >
            {props.peek?.(peeked)}
          </Peek>
        </Suspense>
      )}
    </div>
  )
}

/** The columns that are shown, as they were chosen on this device. */
function useShownColumns<Row>(name: string, columns: Column<Row>[]) {
  const [chosen, choose] = useRemembered<string[] | null>(`columns-${name}`, null)
  return useMemo(() => {
    const shown = columns.filter((column) => (chosen ? chosen.includes(column.key) : !column.hidden))
    const some = shown.length > 0 ? shown : columns.slice(0, 1)
    return { columns: some, keys: some.map(({ key }) => key), chosen, choose }
  }, [columns, chosen, choose])
}

/** What can be done with selected rows; undefined where nothing can be selected, since none of them allows any of it. */
function bulkActionsOf<Row, Search extends ListSearch, Answer extends ListAnswer<Row>>(
  { bulkActions, bulkSteps, exportFrom, list }: DataTableProps<Row, Search, Answer>,
  columns: string[],
  rows: readonly Row[],
): BulkAction<Search>[] | undefined {
  if (exportFrom) return [...(bulkActions ?? []), ...exportSelected(exportFrom, list.search, columns)]
  return bulkActions ?? (bulkSteps?.some(({ may }) => rows.some(may)) ? [] : undefined)
}

interface ViewTabsProps<Answer> {
  tabs: { value: string; label: string; count?: (answer: Answer) => number }[]
  tab: string | undefined
  noun: { many: string }
  answer: Answer | undefined
  onLeave: () => unknown
}

function ViewTabs<Answer extends ListAnswer<unknown>>({ tabs, tab, noun, answer, onLeave }: ViewTabsProps<Answer>) {
  return (
    <PageTabs
      label={`Views of ${noun.many}`}
      tabs={tabs.map(({ value, label, count }) => ({
        label,
        count: answer && count?.(answer),
        capped: answer?.cappedTabs?.includes(value),
        active: value === tab,
        link: {
          to: ".",
          search: (was: object) => ({ ...was, tab: value, page: 1, after: undefined, before: undefined }) as never,
          resetScroll: false,
        },
      }))}
      onLeave={onLeave}
    />
  )
}

interface ToolbarProps<Row, Search extends ListSearch, Answer extends ListAnswer<Row>> {
  table: DataTableProps<Row, Search, Answer>
  shown: ReturnType<typeof useShownColumns<Row>>
  phone: boolean
  searchField: RefObject<HTMLInputElement | null>
  named: Answer["filteredBy"]
}

/** Above the rows; drawn anew when the list is another, and not with every row that is marked. */
const Toolbar = memo(
  function Toolbar<Row, Search extends ListSearch, Answer extends ListAnswer<Row>>(
    props: ToolbarProps<Row, Search, Answer>,
  ) {
    const { table, shown, phone } = props
    const { list, exportFrom, noun } = table
    const exports = exportFrom
      ? exportFormats.map(({ format, label }) => ({
          label,
          href: exportHref(exportFrom, list.search, shown.keys, format),
        }))
      : []
    return (
      <TableToolbar
        list={list}
        filters={table.filters ?? []}
        named={props.named}
        searchLabel={table.searchLabel ?? `Search ${noun.many}`}
        searchField={props.searchField}
        columns={phone ? [] : table.columns}
        shown={shown.keys}
        onColumns={shown.choose}
        exports={exports}
        tools={table.tools}
        views={
          table.savedViews && (
            <SavedViewsButton list={table.name} search={list.search} columns={shown.chosen} onColumns={shown.choose} />
          )
        }
      />
    )
  },
  (before, now) =>
    before.table === now.table &&
    before.shown === now.shown &&
    before.phone === now.phone &&
    before.named === now.named,
) as <Row, Search extends ListSearch, Answer extends ListAnswer<Row>>(
  props: ToolbarProps<Row, Search, Answer>,
) => ReactNode

interface SelectedRowsProps<Row, Search extends ListSearch, Answer extends ListAnswer<Row>> {
  table: DataTableProps<Row, Search, Answer>
  actions: BulkAction<Search>[]
  selection: ReturnType<typeof useSelection<Row>>
  rows: Row[]
  total: number
}

/** What can be done with the selected rows, once some are. */
function SelectedRows<Row, Search extends ListSearch, Answer extends ListAnswer<Row>>(
  props: SelectedRowsProps<Row, Search, Answer>,
) {
  const { table, actions, selection, rows, total } = props
  const { everyMatch } = selection
  const selected = useDeferredValue(selection.selected)
  if (selected.size === 0) return null
  const onlyPage = selected.size === rows.length && total > rows.length
  return (
    <Suspense>
      <BulkBar
        actions={actions}
        steps={table.bulkSteps ?? []}
        rows={rows.filter((row) => selected.has(table.rowId(row)))}
        onDone={(left) => selection.choose(new Set(left.map(table.rowId)))}
        noun={table.noun}
        selection={
          everyMatch ? { everyMatch: table.list.search, count: total } : { ids: [...selected], count: selected.size }
        }
        total={total}
        offerEveryMatch={onlyPage && !everyMatch && actions.some((action) => action.everyMatch)}
        onEveryMatch={selection.chooseEveryMatch}
        onClear={selection.none}
      />
    </Suspense>
  )
}
