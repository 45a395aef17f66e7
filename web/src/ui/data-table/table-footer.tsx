import { ActionIcon, NativeSelect } from "@mantine/core"
import { pageSizes } from "@milkwood/domain/kernel/list"
import { IconChevronLeft, IconChevronLeftPipe, IconChevronRight, IconChevronRightPipe } from "@tabler/icons-react"
import { memo, useCallback, useRef } from "react"
import { type ListSearch, type PageCursors, pageParametersOf } from "../list-address.ts"
import { MoneyText } from "../money.tsx"
import classes from "./data-table.module.css"
import type { PageTotal } from "./types.ts"

interface TableFooterProps<Row> {
  search: ListSearch
  noun: { one: string; many: string }
  rows: Row[]
  total: number
  /** Counting stopped at `total`; there are more rows. */
  capped?: boolean | undefined
  ends?: PageCursors
  pageTotal?: PageTotal<Row>
  onGo: (patch: Partial<ListSearch>) => void
}

const formatCount = (value: number) => value.toLocaleString("en-ZA")

export function TableFooter<Row>(props: TableFooterProps<Row>) {
  const { search, noun, rows, total, capped = false, pageTotal } = props
  const first = rows.length === 0 ? 0 : (search.page - 1) * search.pageSize + 1
  return (
    <div className={classes.footer}>
      <span aria-live="polite">
        {rows.length === total
          ? `${formatCount(total)} ${total === 1 ? noun.one : noun.many}`
          : `${formatCount(first)}–${formatCount(first + rows.length - 1)} of ${formatCount(total)}${capped ? "+" : ""} ${noun.many}`}
      </span>
      {pageTotal && rows.length > 0 && (
        <span className={classes.pageTotal}>
          {pageTotal.label} on this page{" "}
          <strong>
            <MoneyText cents={rows.reduce((sum, row) => sum + (pageTotal.of(row) ?? 0), 0)} />
          </strong>
          {pageTotal.without && rows.some((row) => pageTotal.of(row) === null) && `, ${pageTotal.without}`}
        </span>
      )}
      <span className={classes.grow} />
      {total > pageSizes[0] && <PageButtons {...props} />}
    </div>
  )
}

const pageCountOf = ({ search, total }: TableFooterProps<never>) => Math.max(1, Math.ceil(total / search.pageSize))

const pageTargets = {
  first: ({ search, ends }: TableFooterProps<never>) => pageParametersOf(search, 1, ends),
  previous: (props: TableFooterProps<never>) => {
    const { search, capped, ends } = props
    return pageParametersOf(search, capped ? search.page - 1 : Math.min(search.page - 1, pageCountOf(props)), ends)
  },
  next: ({ search, ends }: TableFooterProps<never>) => pageParametersOf(search, search.page + 1, ends),
  last: (props: TableFooterProps<never>) => pageParametersOf(props.search, pageCountOf(props), undefined),
}

function PageButtons<Row>(given: TableFooterProps<Row>) {
  const props = given as unknown as TableFooterProps<never>
  const { search, rows, capped = false } = props
  const pages = pageCountOf(props)
  const long = pages > 3
  const now = useRef(props)
  now.current = props
  // Stable callbacks, so that unchanged buttons do not render again.
  const turn = useCallback((to: keyof typeof pageTargets) => now.current.onGo(pageTargets[to](now.current)), [])
  const resize = useCallback((pageSize: ListSearch["pageSize"]) => now.current.onGo({ page: 1, pageSize }), [])
  const atEnd = capped ? rows.length < search.pageSize : search.page >= pages
  return (
    <>
      <PageSize value={search.pageSize} onChange={resize} />
      <nav className={classes.pager} aria-label="Pages">
        {long && <PageButton to="first" disabled={search.page <= 1} onTurn={turn} />}
        <PageButton to="previous" disabled={search.page <= 1} onTurn={turn} />
        <span className="tabular">
          Page {formatCount(search.page)} of {formatCount(pages)}
          {capped && "+"}
        </span>
        <PageButton to="next" disabled={atEnd} onTurn={turn} />
        {long && !capped && <PageButton to="last" disabled={search.page >= pages} onTurn={turn} />}
      </nav>
    </>
  )
}

const pageButtons = {
  first: { label: "First page", Icon: IconChevronLeftPipe },
  previous: { label: "Previous page", Icon: IconChevronLeft },
  next: { label: "Next page", Icon: IconChevronRight },
  last: { label: "Last page", Icon: IconChevronRightPipe },
}

interface PageButtonProps {
  to: keyof typeof pageTargets
  disabled: boolean
  onTurn: (to: keyof typeof pageTargets) => void
}

const PageButton = memo(function PageButton({ to, disabled, onTurn }: PageButtonProps) {
  const { label, Icon } = pageButtons[to]
  return (
    <ActionIcon variant="default" aria-label={label} disabled={disabled} onClick={() => onTurn(to)}>
      <Icon size={16} />
    </ActionIcon>
  )
})

interface PageSizeProps {
  value: ListSearch["pageSize"]
  onChange: (size: ListSearch["pageSize"]) => void
}

const PageSize = memo(function PageSize({ value, onChange }: PageSizeProps) {
  return (
    <span className={classes.pageSize}>
      Rows
      <NativeSelect
        aria-label="Rows per page"
        size="xs"
        value={String(value)}
        data={pageSizes.map(String)}
        onChange={(event) => onChange(pageSizes.find((size) => String(size) === event.currentTarget.value) ?? value)}
      />
    </span>
  )
})
