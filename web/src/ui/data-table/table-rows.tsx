import { IconArrowDown, IconArrowsSort, IconArrowUp } from "@tabler/icons-react"
import { type LinkProps, useRouter } from "@tanstack/react-router"
import { type MouseEvent, memo, type ReactNode, useMemo, useRef } from "react"
import classes from "./data-table.module.css"
import { RowCheckbox } from "./row-check.tsx"
import { RowMenu } from "./row-menu.tsx"
import type { Column, RowAction } from "./types.ts"

export interface RowPresentation<Row> {
  noun: { one: string; many: string }
  rowId: (row: Row) => string
  rowLink?: (row: Row) => LinkProps | undefined
  rowName?: (row: Row) => string
  rowActions?: (row: Row) => RowAction[]
  highlight?: (row: Row) => string | undefined
}

export interface RowsProps<Row> extends RowPresentation<Row> {
  later: RowPresentation<Row>
  rows: Row[]
  columns: Column<Row>[]
  maySelect: boolean
  current: string | undefined
  selected: ReadonlySet<string>
  everyMatch: boolean
  onCurrent: (id: string) => void
  onToggle: (id: string) => void
  onToggleAll: () => void
  onOpen: (row: Row) => void
  onFollow: () => void
}

interface TableRowsProps<Row> extends RowsProps<Row> {
  sort: string
  dir: "asc" | "desc"
  onSort: (sort: string, dir: "asc" | "desc") => void
}

/** Every column has a width, so that spare room is shared among all of them. */
const columnWidthOf = ({ width, wide }: { width?: number; wide?: boolean }) => width ?? (wide ? 300 : 180)

export function TableRows<Row>(props: TableRowsProps<Row>) {
  const { later, rows, columns, noun, maySelect, current, selected, everyMatch, sort, dir } = props
  const on = useRowEvents(props)
  const all = everyMatch || (selected.size > 0 && selected.size === rows.length)
  return (
    <div className={classes.scroller}>
      <table className={classes.table}>
        <caption className="visually-hidden">{noun.many}</caption>
        <thead>
          <tr>
            {maySelect && (
              <th className={classes.check} scope="col">
                <RowCheckbox
                  aria-label={`Select all ${noun.many} on this page`}
                  checked={all}
                  some={!all && selected.size > 0}
                  onChange={props.onToggleAll}
                />
              </th>
            )}
            {columns.map((column) => (
              <HeaderCell
                key={column.key}
                column={column}
                sorted={column.sort !== undefined && column.sort === sort ? dir : undefined}
                onSort={on.sort}
              />
            ))}
            {props.rowActions && (
              <th className={classes.menu} scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <BodyRows {...{ later, rows, columns, maySelect, current, selected, everyMatch, on }} />
      </table>
    </div>
  )
}

interface RowEvents<Row> {
  current: (id: string) => void
  toggle: (id: string) => void
  open: (row: Row) => void
  follow: () => void
  actions: (row: Row) => RowAction[]
  sort: (sort: string, dir: "asc" | "desc") => void
}

/** Stable callbacks that read the latest props, so that memoised rows do not render again. */
function useRowEvents<Row>(props: TableRowsProps<Row>): RowEvents<Row> {
  const now = useRef(props)
  now.current = props
  return useMemo(
    () => ({
      current: (id) => now.current.onCurrent(id),
      toggle: (id) => now.current.onToggle(id),
      open: (row) => now.current.onOpen(row),
      follow: () => now.current.onFollow(),
      actions: (row) => now.current.rowActions?.(row) ?? [],
      sort: (sort, dir) => now.current.onSort(sort, dir),
    }),
    [],
  )
}

interface HeaderCellProps<Row> {
  column: Column<Row>
  sorted: "asc" | "desc" | undefined
  onSort: (sort: string, dir: "asc" | "desc") => void
}

const HeaderCell = memo(function HeaderCell<Row>({ column, sorted, onSort }: HeaderCellProps<Row>) {
  const Arrow = !sorted ? IconArrowsSort : sorted === "asc" ? IconArrowUp : IconArrowDown
  return (
    <th
      scope="col"
      data-align={column.align}
      style={{ width: columnWidthOf(column) }}
      aria-sort={sorted && (sorted === "asc" ? "ascending" : "descending")}
    >
      {column.sort === undefined ? (
        column.header
      ) : (
        <button
          type="button"
          className={classes.sort}
          data-active={sorted ? true : undefined}
          onClick={() => onSort(column.sort!, sorted === "asc" ? "desc" : "asc")}
        >
          {column.header}
          <Arrow size={12} className={classes.arrow} aria-hidden />
        </button>
      )}
    </th>
  )
}) as <Row>(props: HeaderCellProps<Row>) => ReactNode

interface BodyRowsProps<Row>
  extends Pick<RowsProps<Row>, "later" | "rows" | "columns" | "maySelect" | "current" | "selected" | "everyMatch"> {
  on: RowEvents<Row>
}

const BodyRows = memo(function BodyRows<Row>(props: BodyRowsProps<Row>) {
  const { later, rows, columns, maySelect, current, selected, everyMatch, on } = props
  const { noun, rowId, rowLink, rowName, rowActions, highlight } = later
  return (
    <tbody>
      {rows.map((row) => {
        const id = rowId(row)
        return (
          <BodyRow
            key={id}
            id={id}
            row={row}
            columns={columns}
            name={rowName?.(row) ?? `this ${noun.one}`}
            link={rowLink?.(row)}
            reason={highlight?.(row)}
            isCurrent={id === current}
            isChosen={everyMatch || selected.has(id)}
            maySelect={maySelect}
            hasMenu={rowActions && rowActions(row).length > 0}
            on={on}
          />
        )
      })}
    </tbody>
  )
}) as <Row>(props: BodyRowsProps<Row>) => ReactNode

interface BodyRowProps<Row> {
  id: string
  row: Row
  columns: Column<Row>[]
  name: string
  link: LinkProps | undefined
  reason: string | undefined
  isCurrent: boolean
  isChosen: boolean
  maySelect: boolean
  hasMenu: boolean | undefined
  on: RowEvents<Row>
}

/** Memoised: selecting, hovering or sorting other rows does not render it. */
const BodyRow = memo(
  function BodyRow<Row>(props: BodyRowProps<Row>) {
    const { id, row, columns, name, link, reason, isCurrent, isChosen, maySelect, hasMenu, on } = props
    return (
      <tr
        data-row={id}
        data-current={isCurrent || undefined}
        data-chosen={isChosen || undefined}
        data-link={link ? true : undefined}
        data-highlight={reason ? true : undefined}
        title={reason}
        tabIndex={link ? undefined : -1}
        onFocus={() => on.current(id)}
        onClick={(event) => {
          if (isPlainClick(event)) on.open(row)
        }}
      >
        {maySelect && (
          <td className={classes.check}>
            <RowCheckbox aria-label={`Select ${name}`} checked={isChosen} onChange={() => on.toggle(id)} />
          </td>
        )}
        <Cells row={row} columns={columns} link={link} reason={reason} onFollow={on.follow} />
        {hasMenu !== undefined && (
          <td className={classes.menu}>
            {hasMenu && <RowMenu label={`Actions for ${name}`} actions={() => on.actions(row)} />}
          </td>
        )}
      </tr>
    )
  },
  ({ link: was, ...before }, { link, ...now }) =>
    (Object.keys(now) as (keyof typeof now)[]).every((key) => before[key] === now[key]) && isSameLink(was, link),
) as <Row>(props: BodyRowProps<Row>) => ReactNode

const isSameLink = (was: LinkProps | undefined, link: LinkProps | undefined) =>
  was === link || JSON.stringify(was) === JSON.stringify(link)

interface CellsProps<Row> {
  row: Row
  columns: Column<Row>[]
  link: LinkProps | undefined
  reason: string | undefined
  onFollow: () => void
}

const Cells = memo(
  function Cells<Row>({ row, columns, link, reason, onFollow }: CellsProps<Row>) {
    return columns.map((column, index) => (
      <td key={column.key} data-align={column.align} data-wide={column.wide}>
        <div className={classes.cell}>
          {index === 0 && link ? (
            <RowLink link={link} onFollow={onFollow}>
              {column.cell(row)}
              {reason && <span className="visually-hidden">, {reason}</span>}
            </RowLink>
          ) : (
            column.cell(row)
          )}
        </div>
      </td>
    ))
  },
  (before, now) =>
    before.row === now.row &&
    before.columns === now.columns &&
    before.reason === now.reason &&
    before.onFollow === now.onFollow &&
    isSameLink(before.link, now.link),
) as <Row>(props: CellsProps<Row>) => ReactNode

/** Milliseconds of hovering before the target is prefetched; the same as the router's own links. */
const hoverIntentMs = 50

/** A plain anchor: a router link per row would recompute its target on every change of the address. */
export function RowLink({ link, onFollow, children }: { link: LinkProps; onFollow: () => void; children: ReactNode }) {
  const router = useRouter()
  const intent = useRef<ReturnType<typeof setTimeout>>(undefined)
  const to = link as Parameters<typeof router.navigate>[0]
  const preload = () => {
    intent.current = setTimeout(() => void router.preloadRoute(to).catch(() => {}), hoverIntentMs)
  }
  const leave = () => clearTimeout(intent.current)
  return (
    <a
      href={router.history.createHref(router.buildLocation(to).publicHref)}
      className={classes.rowLink}
      data-row-link
      onMouseEnter={preload}
      onMouseLeave={leave}
      onFocus={preload}
      onBlur={leave}
      onClick={(event) => {
        onFollow()
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        leave()
        void router.navigate(to)
      }}
    >
      {children}
    </a>
  )
}

/** False for clicks on controls in the row, while text is selected, or with a modifier key. */
function isPlainClick(event: MouseEvent<HTMLElement>): boolean {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return false
  const target = event.target as HTMLElement
  // React events of a menu rendered elsewhere also bubble through the row.
  if (!event.currentTarget.contains(target)) return false
  if (target.closest("a, button, input, label, [role=menuitem]")) return false
  return (window.getSelection()?.toString() ?? "") === ""
}
