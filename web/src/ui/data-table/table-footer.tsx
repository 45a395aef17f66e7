import { ActionIcon, NativeSelect } from "@mantine/core"
import { pageSizes } from "@milkwood/domain/kernel/paging"
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react"
import type { ListSearch } from "../list-address.ts"
import { MoneyText } from "../money.tsx"
import classes from "./data-table.module.css"
import type { PageTotal } from "./types.ts"

interface TableFooterProps<Row> {
  search: ListSearch
  noun: { one: string; many: string }
  rows: Row[]
  total: number
  /** There are more than `total`, which is where counting stopped. */
  capped?: boolean
  pageTotal?: PageTotal<Row>
  onGo: (patch: Partial<ListSearch>) => void
}

const count = (value: number) => value.toLocaleString("en-ZA")

/** How many there are, what the money on this page comes to, and the other pages. */
export function TableFooter<Row>(props: TableFooterProps<Row>) {
  const { search, noun, rows, total, capped = false, pageTotal, onGo } = props
  const pages = Math.max(1, Math.ceil(total / search.pageSize))
  const first = rows.length === 0 ? 0 : (search.page - 1) * search.pageSize + 1
  return (
    <div className={classes.footer}>
      <span aria-live="polite">
        {rows.length === total
          ? `${count(total)} ${total === 1 ? noun.one : noun.many}`
          : `${count(first)}–${count(first + rows.length - 1)} of ${capped ? "more than " : ""}${count(total)} ${noun.many}`}
      </span>
      {pageTotal && rows.length > 0 && (
        <span className={classes.pageTotal}>
          {pageTotal.label} on this page{" "}
          <strong>
            <MoneyText cents={rows.reduce((sum, row) => sum + (pageTotal.of(row) ?? 0), 0)} />
          </strong>
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
            <ActionIcon
              variant="default"
              aria-label="Previous page"
              disabled={search.page <= 1}
              onClick={() => onGo({ page: Math.min(search.page - 1, pages) })}
            >
              <IconChevronLeft size={16} />
            </ActionIcon>
            <span className="tabular">
              Page {count(search.page)} of {count(pages)}
            </span>
            <ActionIcon
              variant="default"
              aria-label="Next page"
              disabled={search.page >= pages}
              onClick={() => onGo({ page: search.page + 1 })}
            >
              <IconChevronRight size={16} />
            </ActionIcon>
          </nav>
        </>
      )}
    </div>
  )
}
