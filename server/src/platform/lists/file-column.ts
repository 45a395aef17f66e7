import { todayIn } from "@milkwood/domain/kernel/calendar"
import { type Column, noneIn } from "@milkwood/domain/kernel/list"
import { amountTitle, type Currency } from "@milkwood/domain/kernel/money"

/** What a cell of a file holds, so that a spreadsheet knows days and amounts for what they are. */
export type CellKind = "text" | "count" | "tenths" | "money" | "day" | "month"

export interface FileColumn<Row> {
  title: string
  kind: CellKind
  /** What an amount is in. */
  currency?: Currency
  /** Of a percentage: the places of the columns whose totals it is worked out from in the line of totals. */
  ratio?: { part: number; whole: number }
  /** Text as it is; a count, or one to a decimal; money in whole units; a day as `YYYY-MM-DD`, a month as `YYYY-MM`. */
  value(row: Row): string | number | null
}

const cellKinds: Partial<Record<Column["kind"], CellKind>> = {
  money: "money",
  count: "count",
  day: "day",
  month: "month",
  instant: "day",
}

/** An amount in cents as spreadsheets add it up. */
export const unitsOf = (cents: number | null): number | null => (cents === null ? null : cents / 100)

/** How the house writes its files: where midnight is, and what its money is in. */
export interface FileWording {
  timezone: string
  currency: Currency
}

/** A column of a list as its file has it: moments as business days, money in whole units, words as people read them. */
export const fileColumn = <Row>(
  column: Column,
  read: (row: Row) => unknown,
  { timezone, currency }: FileWording,
): FileColumn<Row> => ({
  ...(column.kind === "money" ? { title: amountTitle(column.title, currency), currency } : { title: column.title }),
  kind: column.tenths ? "tenths" : (cellKinds[column.kind] ?? "text"),
  value: (row) => cellOf(column, read(row), timezone, row as object),
})

/** A value as a cell of a file has it; the row may say why there is none. */
export function cellOf(column: Column, value: unknown, timezone: string, row: object = {}): string | number | null {
  const { kind, names } = column
  if (value === null || value === undefined) return noneIn(row, column) ?? null
  if (kind === "money") return unitsOf(value as number)
  if (kind === "month") return (value as string).slice(0, 7)
  if (kind === "instant") return todayIn(Temporal.Instant.from(value as string), timezone)
  if (kind === "person") {
    const { firstName, lastName } = value as { firstName: string; lastName: string }
    return `${firstName} ${lastName}`
  }
  return names?.[value as string] ?? (value as string | number)
}
