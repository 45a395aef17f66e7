import { ActionIcon, NativeSelect } from "@mantine/core"
import { pageSizes } from "@milkwood/domain/kernel/list"
import { IconChevronLeft, IconChevronLeftPipe, IconChevronRight, IconChevronRightPipe } from "@tabler/icons-react"
import { type Ends, type ListSearch, pageAt } from "../list-address.ts"
import { MoneyText } from "../money.tsx"
import classes from "./data-table.module.css"
import type { PageTotal } from "./types.ts"

interface TableFooterProps<Row> {
  search: ListSearch
  noun: { one: string; many: string }
  rows: Row[]
  total: number
  /** There are more than `total`, which is where counting stopped. */
  capped?: boolean | undefined
  ends?: Ends
  pageTotal?: PageTotal<Row>
  onGo: (patch: Partial<ListSearch>) => void
}

const count = (value: number) => value.toLocaleString("en-ZA")

/** How many there are, what the money on this page comes to, and the other pages. */
export function TableFooter<Row>(props: TableFooterProps<Row>) {
  const { search, noun, rows, total, capped = false, ends, pageTotal, onGo } = props
  const pages = Math.max(1, Math.ceil(total / search.pageSize))
  const long = pages > 3
  const first = rows.length === 0 ? 0 : (search.page - 1) * search.pageSize + 1
  return (
    <div className={classes.footer}>
      <span aria-live="polite">
        {rows.length === total
          ? `${count(total)} ${total === 1 ? noun.one : noun.many}`
          : `${count(first)}–${count(first + rows.length - 1)} of ${count(total)}${capped ? "+" : ""} ${noun.many}`}
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
      {total > pageSizes[0] && (
        <>
          <span className={classes.pageSize}>
            Rows
            <NativeSelect
              aria-label="Rows on a page"
              size="xs"
              value={String(search.pageSize)}
              data={pageSizes.map(String)}
              onChange={(event) =>
                onGo({ page: 1, pageSize: pageSizes.find((size) => String(size) === event.currentTarget.value) })
              }
            />
          </span>
          <nav className={classes.pager} aria-label="Pages">
            {long && (
              <ActionIcon
                variant="default"
                aria-label="First page"
                disabled={search.page <= 1}
                onClick={() => onGo(pageAt(search, 1, ends))}
              >
                <IconChevronLeftPipe size={16} />
              </ActionIcon>
            )}
            <ActionIcon
              variant="default"
              aria-label="Previous page"
              disabled={search.page <= 1}
              onClick={() => onGo(pageAt(search, capped ? search.page - 1 : Math.min(search.page - 1, pages), ends))}
            >
              <IconChevronLeft size={16} />
            </ActionIcon>
            <span className="tabular">
              Page {count(search.page)} of {count(pages)}
              {capped && "+"}
            </span>
            <ActionIcon
              variant="default"
              aria-label="Next page"
              disabled={capped ? rows.length < search.pageSize : search.page >= pages}
              onClick={() => onGo(pageAt(search, search.page + 1, ends))}
            >
              <IconChevronRight size={16} />
            </ActionIcon>
            {long && !capped && (
              <ActionIcon
                variant="default"
                aria-label="Last page"
                disabled={search.page >= pages}
                onClick={() => onGo(pageAt(search, pages, undefined))}
              >
                <IconChevronRightPipe size={16} />
              </ActionIcon>
            )}
          </nav>
        </>
      )}
    </div>
  )
}
