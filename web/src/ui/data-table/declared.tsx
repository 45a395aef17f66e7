import { formatMonth } from "@milkwood/domain/kernel/calendar"
import {
  type ColumnKind,
  type Column as Declared,
  emptyTextOf,
  fieldOf,
  type ListWords,
} from "@milkwood/domain/kernel/list"
import { DayText, InstantText } from "../day.tsx"
import { DocumentNumber } from "../document-number.tsx"
import { MoneyText } from "../money.tsx"
import { StatusBadge } from "../status-badge.tsx"
import type { Column, Filter, ListAnswer } from "./types.ts"

const kinds: {
  [K in ColumnKind]: Omit<Column<never>, "key" | "header" | "cell"> & {
    cell: (
      value: never,
      column: Declared,
      row: object,
    ) => Column<never>["cell"] extends (row: never) => infer Cell ? Cell : never
  }
} = {
  text: { cell: (value: string | null, { none }) => value || none || "–" },
  reference: { width: 150, cell: (value: string | null) => (value ? <DocumentNumber>{value}</DocumentNumber> : "–") },
  person: { cell: ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}` },
  day: { width: 115, cell: (value: string | null) => <DayText day={value} /> },
  month: { width: 100, cell: (value: string | null, { none }) => (value ? formatMonth(value) : (none ?? "–")) },
  instant: { width: 120, cell: (value: string | null) => <InstantText at={value} show="day" /> },
  money: {
    width: 130,
    align: "right",
    cell: (value: number | null, column, row) => {
      const fallback = emptyTextOf(row, column)
      return <MoneyText cents={value} {...(fallback !== undefined && { fallback })} />
    },
  },
  count: {
    width: 90,
    align: "right",
    cell: (value: number | null, { tenths }) =>
      value?.toLocaleString("en-ZA", { minimumFractionDigits: tenths ? 1 : 0 }) ?? "–",
  },
  words: {
    width: 120,
    cell: (value: string | null, { names, none }) => (value === null ? none || "–" : (names?.[value] ?? value)),
  },
  status: { width: 130, card: "aside", cell: (value: string) => <StatusBadge status={value} /> },
}

/**
 * The columns of a declared list, with the cell of each kind; a page overrides what differs.
 *
 *     const columns = columnsOf<ClaimRow>(claimsList, { status: { width: 190, cell: (claim) => … } })
 */
export function columnsOf<Row extends object, D extends ListWords = ListWords>(
  list: D,
  special: { [K in keyof D["columns"]]?: Partial<Column<Row>> } = {},
): Column<Row>[] {
  const columns: ListWords["columns"] = list.columns
  return Object.entries(columns).map(([key, column], index) => {
    const { cell, ...look } = kinds[column.kind]
    const { title, hidden, sort } = column
    return {
      key,
      header: title,
      ...look,
      ...(index === 0 && { card: "title" as const }),
      ...(hidden && { hidden }),
      ...(sort !== undefined && { sort: sort === true ? key : sort }),
      cell: (row: Row) => cell(fieldOf(row, key, column) as never, column, row),
      ...(special as Record<string, Partial<Column<Row>>>)[key],
    }
  })
}

/**
 * The table props of a declared list.
 *
 *     <DataTable {...tableOf(claimsList)} list={list} query={query} columns={columns} … />
 */
export function tableOf<Row>(list: ListWords) {
  const { key, noun, search, tabs, filters = {} } = list
  return {
    name: key,
    noun,
    searchLabel: search ?? (false as const),
    ...(tabs && {
      tabs: Object.entries(tabs.views).map(([value, { label }]) => ({
        value,
        label,
        count: (answer: ListAnswer<Row>) => answer.counts?.[value] ?? 0,
      })),
    }),
    filters: Object.entries(filters).map(([name, filter]): Filter => {
      const { label } = filter
      if (filter.kind === "days") return { kind: "days", name: `${name}From`, until: `${name}To`, label }
      if (filter.kind === "record") return { kind: "record", name, label, record: filter.record }
      if (filter.kind === "flag") return { kind: "flag", name, label }
      // The page adds the months with `choosing`.
      if (filter.kind === "month") {
        return { kind: "choice", name, label, options: filter.all ? [{ value: "all", label: filter.all }] : [] }
      }
      return {
        kind: "choice",
        name,
        label,
        ...(filter.all ? { all: filter.all } : {}),
        options: filter.values.map((value) => ({ value, label: filter.names[value] ?? value })),
      }
    }),
  }
}

/** Adds choices that the page loads, for short lists such as tiers. `unset` is the label while nothing is chosen. */
export const withFilterChoices = (
  filters: Filter[],
  choices: Record<string, readonly { id: string; name: string }[] | undefined>,
  unset: Record<string, string> = {},
): Filter[] =>
  filters.map((filter) => {
    const { name, label } = filter
    if (!(name in choices)) return filter
    const declared = filter.kind === "choice" ? filter.options : []
    return {
      kind: "choice",
      name,
      label,
      ...(unset[name] !== undefined && { all: unset[name] }),
      options: [...declared, ...(choices[name]?.map(({ id, name }) => ({ value: id, label: name })) ?? [])],
    }
  })
