import { lazy, memo, type ReactNode, type RefObject, Suspense, useDeferredValue, useMemo, useRef } from "react"
import type { ListPlace, ListSearch } from "../list-address.ts"
import { LoadFailed, RefreshFailed } from "../load-failed.tsx"
import { PageTabs } from "../page-tabs.tsx"
import { useRememberedState } from "../remembered.ts"
import { usePhone } from "../use-phone.ts"
import classes from "./data-table.module.css"
import { exportActionsOf, exportFormatsOf, exportHref } from "./export-list.ts"
import { SavedViewsButton } from "./saved-views-button.tsx"
import { TableFooter } from "./table-footer.tsx"
import { type RowsProps, TableRows } from "./table-rows.tsx"
import { ListEmpty, TableSkeleton } from "./table-states.tsx"
import { TableToolbar } from "./table-toolbar.tsx"
import type { BulkAction, Column, DataTableProps, ListAnswer } from "./types.ts"
import { useListAnswer } from "./use-list-answer.ts"
import { useOpenRecord } from "./use-opening.ts"
import { useRowKeys } from "./use-row-keys.ts"
import { useSelection } from "./use-selection.ts"

// Lazy: the bundle budget of the first pages is 200 KB.
const BulkBar = lazy(() => import("./bulk-bar.tsx")) as typeof import("./bulk-bar.tsx").default
const Peek = lazy(() => import("./peek.tsx")) as typeof import("./peek.tsx").default
const TableCards = lazy(() => import("./table-cards.tsx")) as typeof import("./table-cards.tsx").default

/**
 * A list whose paging, sorting, search, tabs and filters run in the database and are stored in the address.
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
  const phone = usePhone()
  const shown = useShownColumns(name, props.columns)
  const found = useListAnswer<Row, Search, Answer>(list, props.query(list.search))
  const { answer, rows } = found
  const selection = useSelection(rows, rowId)
  const { open, remember } = useOpenRecord(name, rows, props.rowLink, found.isHere, () => ({
    many: noun.many,
    search: list.search,
    pages: found.pages,
    ends: answer?.ends,
    rows: rows.flatMap((row) => {
      const link = props.rowLink?.(row)
      return link ? [{ id: rowId(row), link }] : []
    }),
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

  // Controls respond at once; the rows follow as deferred work.
  const later = useDeferredValue(props)
  const before = useDeferredValue(rows)
  const failure = {
    error: found.query.error,
    onRetry: found.query.refetch,
    busy: found.query.isFetching,
    title: props.failed,
  }
  return (
    <div className={classes.root} data-list ref={root}>
      {props.tabs && <ViewTabs table={props} tabs={props.tabs} answer={answer} onLeave={selection.none} />}
      <Toolbar
        table={hasSameFilters(list, later.list) ? later : props}
        shown={shown}
        phone={phone}
        searchField={searchField}
        named={answer?.filteredBy}
      />
      {bulkActions && (
        <SelectedRows
          table={props}
          actions={bulkActions}
          selection={selection}
          rows={rows}
          total={answer?.total ?? 0}
        />
      )}
      {found.query.isError && answer && (
        <div className={classes.notice}>
          <RefreshFailed {...failure} />
        </div>
      )}
      <div className={classes.body} aria-busy={found.query.isFetching || undefined} data-late={found.late || undefined}>
        {!answer && found.query.isError ? (
          <LoadFailed {...failure} />
        ) : !answer ? (
          <TableSkeleton visible={found.late} columns={shown.columns} phone={phone} rows={10} words={props.loading} />
        ) : rows.length === 0 ? (
          <EmptyTable table={props} isBeyondEnd={answer.total > 0} />
        ) : (
          <Rows
            {...props}
            later={later}
            phone={phone}
            maySelect={bulkActions !== undefined}
            rows={before.length > 0 ? before : rows}
            columns={shown.columns}
            current={current}
            selected={selection.selected}
            everyMatch={selection.everyMatch}
            onCurrent={setCurrent}
            onToggle={selection.toggle}
            onToggleAll={selection.toggleAll}
            onOpen={open}
            onFollow={remember}
          />
        )}
      </div>
      {answer && answer.total > 0 && (
        <TableFooter
          search={list.search}
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
      {peeked && <RowPeek table={props} row={peeked} onClose={stopPeeking} onOpen={open} />}
    </div>
  )
}

type NarrowedSearch = Pick<ListPlace<ListSearch>, "search" | "filtered">

const hasSameFilters = (one: NarrowedSearch, other: NarrowedSearch): boolean =>
  one.search.search === other.search.search &&
  one.filtered.length === other.filtered.length &&
  one.filtered.every((name) => one.search[name as keyof ListSearch] === other.search[name as keyof ListSearch])

function EmptyTable<Row, Search extends ListSearch, Answer extends ListAnswer<Row>>(props: {
  table: DataTableProps<Row, Search, Answer>
  isBeyondEnd: boolean
}) {
  const { list, tabs, noun, empty, noMatch } = props.table
  const search: ListSearch = list.search
  const untouched = search.search === "" && list.filtered.length === 0
  return (
    <ListEmpty
      nothingYet={untouched && search.page === 1 && (search.tab === undefined || search.tab === tabs?.[0]?.value)}
      empty={empty}
      noMatch={noMatch ?? `No ${noun.many} match.`}
      beyondEnd={props.isBeyondEnd}
      filtered={!untouched}
      onFirstPage={() => list.go({ page: 1 } as Partial<Search>)}
      onClear={list.clear}
    />
  )
}

function Rows<Row, Search extends ListSearch, Answer extends ListAnswer<Row>>(
  props: DataTableProps<Row, Search, Answer> & RowsProps<Row> & { phone: boolean },
) {
  const { phone, list } = props
  if (!phone) {
    const { sort, dir }: ListSearch = list.search
    return (
      <TableRows {...props} sort={sort} dir={dir} onSort={(sort, dir) => list.go({ sort, dir } as Partial<Search>)} />
    )
  }
  return (
    <Suspense>
      <TableCards {...props} />
    </Suspense>
  )
}

function RowPeek<Row, Search extends ListSearch, Answer extends ListAnswer<Row>>(props: {
  table: DataTableProps<Row, Search, Answer>
  row: Row
  onClose: () => void
  onOpen: (row: Row) => void
}) {
  const { table, row, onClose, onOpen } = props
  return (
    <Suspense>
      <Peek
        columns={table.columns}
        row={row}
        title={table.rowName?.(row) ?? `This ${table.noun.one}`}
        onClose={onClose}
        onOpen={table.rowLink ? () => onOpen(row) : undefined}
      >
        {table.peek?.(row)}
      </Peek>
    </Suspense>
  )
}

function useShownColumns<Row>(name: string, columns: Column<Row>[]) {
  const [chosen, choose] = useRememberedState<string[] | null>(`columns-${name}`, null)
  return useMemo(() => {
    const shown = columns.filter((column) => (chosen ? chosen.includes(column.key) : !column.hidden))
    const some = shown.length > 0 ? shown : columns.slice(0, 1)
    return { columns: some, keys: some.map(({ key }) => key), chosen, choose }
  }, [columns, chosen, choose])
}

function bulkActionsOf<Row, Search extends ListSearch, Answer extends ListAnswer<Row>>(
  { bulkActions, bulkSteps, exportFrom, list }: DataTableProps<Row, Search, Answer>,
  columns: string[],
  rows: readonly Row[],
): BulkAction<Search>[] | undefined {
  if (exportFrom) return [...(bulkActions ?? []), ...exportActionsOf(exportFrom, list.search, columns)]
  return bulkActions ?? (bulkSteps?.some(({ may }) => rows.some(may)) ? [] : undefined)
}

interface ViewTabsProps<Row, Search extends ListSearch, Answer extends ListAnswer<Row>> {
  table: DataTableProps<Row, Search, Answer>
  tabs: NonNullable<DataTableProps<Row, Search, Answer>["tabs"]>
  answer: Answer | undefined
  onLeave: () => unknown
}

function ViewTabs<Row, Search extends ListSearch, Answer extends ListAnswer<Row>>(
  props: ViewTabsProps<Row, Search, Answer>,
) {
  const { table, tabs, answer, onLeave } = props
  const { tab = tabs[0]?.value }: ListSearch = table.list.search
  return (
    <PageTabs
      label={`Views of ${table.noun.many}`}
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

const Toolbar = memo(
  function Toolbar<Row, Search extends ListSearch, Answer extends ListAnswer<Row>>(
    props: ToolbarProps<Row, Search, Answer>,
  ) {
    const { table, shown, phone } = props
    const { list, exportFrom, noun } = table
    const exports = exportFrom
      ? exportFormatsOf(exportFrom).map(({ format, label }) => ({
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
        exportLabel={exportFrom?.label}
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
