import { ActionIcon, Button, Kbd, TextInput } from "@mantine/core"
import { IconColumns3, IconDownload, IconSearch, IconX } from "@tabler/icons-react"
import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from "react"
import type { ListPlace, ListSearch } from "../list-address.ts"
import { ActionMenu, PanelPopup } from "../popups.tsx"
import { useDownload } from "../use-download.ts"
import type { ColumnChoicesProps } from "./column-choices.tsx"
import classes from "./data-table.module.css"
import { FilterChip } from "./filter-chip.tsx"
import { RecordChip } from "./record-chip.tsx"
import type { Column, Filter, ListAnswer } from "./types.ts"

const ColumnChoices = lazy(() => import("./column-choices.tsx")) as typeof import("./column-choices.tsx").default

interface TableToolbarProps<Row, Search extends ListSearch> {
  list: ListPlace<Search>
  filters: Filter[]
  named: ListAnswer<Row>["filteredBy"]
  searchLabel: string | false
  searchField: RefObject<HTMLInputElement | null>
  columns: Column<Row>[]
  shown: string[]
  onColumns: (keys: string[] | null) => void
  exports: { label: string; href: string }[]
  exportLabel?: string | undefined
  tools: ReactNode
  views: ReactNode
}

export function TableToolbar<Row, Search extends ListSearch>(props: TableToolbarProps<Row, Search>) {
  const { list, filters, searchLabel, columns, shown, exports, tools } = props
  const untouched = list.filtered.length === 0
  const values = list.search as unknown as Record<string, unknown>
  const { isUnderWay, download } = useDownload()
  return (
    <div className={classes.toolbar}>
      {searchLabel !== false && <SearchField label={searchLabel} list={list} field={props.searchField} />}
      {filters.map((filter) =>
        filter.kind === "record" ? (
          <RecordChip
            key={filter.name}
            filter={filter}
            value={values[filter.name] as string | undefined}
            named={props.named?.[filter.name]}
            onChange={(value) => list.go({ [filter.name]: value } as Partial<Search>)}
          />
        ) : (
          <FilterChip
            key={filter.name}
            filter={filter}
            values={values}
            onChange={(changed) => list.go(changed as Partial<Search>)}
          />
        ),
      )}
      {!untouched && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={list.clear}>
          Clear filters
        </Button>
      )}
      <span className={classes.grow} />
      {tools}
      {exports.length > 0 && (
        <ActionMenu
          button={
            <Button
              loading={isUnderWay}
              title="Download the filtered rows with the visible columns"
              aria-haspopup="menu"
              variant="default"
              size="compact-sm"
              h={30}
              leftSection={<IconDownload size={14} />}
            >
              {props.exportLabel ?? "Export"}
            </Button>
          }
          actions={exports.map((file) => ({ ...file, download }))}
        />
      )}
      {props.views}
      {columns.length > 1 && <ColumnMenu columns={columns} shown={shown} onColumns={props.onColumns} />}
    </div>
  )
}

function SearchField<Search extends ListSearch>(props: {
  label: string
  list: ListPlace<Search>
  field: RefObject<HTMLInputElement | null>
}) {
  const { label, list, field } = props
  const [typed, setTyped] = useState(list.search.search)
  const asked = useRef(list.search.search)
  const inAddress = list.search.search
  useEffect(() => {
    if (inAddress !== asked.current) {
      asked.current = inAddress
      setTyped(inAddress)
    }
  }, [inAddress])
  const ask = (next: string) => {
    if (next.trim() === asked.current) return
    asked.current = next.trim()
    list.go({ search: next.trim() } as Partial<Search>, { replace: true })
  }
  useEffect(() => {
    const timer = setTimeout(() => ask(typed), 250)
    return () => clearTimeout(timer)
  })
  return (
    <TextInput
      ref={field}
      type="search"
      size="xs"
      className={classes.search}
      placeholder={label}
      aria-label={label}
      maxLength={200}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") ask(typed)
        if (event.key === "Escape") {
          if (typed !== "") {
            setTyped("")
            ask("")
          } else event.currentTarget.blur()
        }
      }}
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={
        typed === "" ? (
          <Kbd size="xs" aria-hidden className={classes.hint}>
            /
          </Kbd>
        ) : (
          <ActionIcon
            size={22}
            aria-label="Clear search"
            onClick={() => {
              setTyped("")
              ask("")
              field.current?.focus()
            }}
          >
            <IconX size={12} />
          </ActionIcon>
        )
      }
    />
  )
}

function ColumnMenu<Row>(props: ColumnChoicesProps<Row>) {
  return (
    <PanelPopup
      position="bottom-end"
      button={
        <ActionIcon
          variant="default"
          size={30}
          aria-label="Choose columns"
          title="Choose columns"
          aria-haspopup="dialog"
        >
          <IconColumns3 size={16} />
        </ActionIcon>
      }
    >
      {() => (
        <Suspense>
          <ColumnChoices {...props} />
        </Suspense>
      )}
    </PanelPopup>
  )
}
