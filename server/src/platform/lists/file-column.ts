import { todayInTimezone } from "@milkwood/domain/kernel/calendar"
import { type Column, emptyTextOf } from "@milkwood/domain/kernel/list"
import { amountTitle, type Currency } from "@milkwood/domain/kernel/money"

export type CellKind = "text" | "count" | "tenths" | "money" | "day" | "month"

export interface FileColumn<Row> {
  title: string
  kind: CellKind
  currency?: Currency
  ratio?: { part: number; whole: number }
  /** Text; a count, or one with a decimal; money in whole units; a day `YYYY-MM-DD`; a month `YYYY-MM`. */
  value(row: Row): string | number | null
}

const cellKinds: Partial<Record<Column["kind"], CellKind>> = {
  money: "money",
  count: "count",
  day: "day",
  month: "month",
  instant: "day",
}

/** Cents as units of the currency. */
export const unitsOf = (cents: number | null): number | null => (cents === null ? null : cents / 100)

export interface FileWording {
  timezone: string
  currency: Currency
}

export const fileColumn = <Row>(
  column: Column,
  read: (row: Row) => unknown,
  { timezone, currency }: FileWording,
): FileColumn<Row> => ({
  ...(column.kind === "money" ? { title: amountTitle(column.title, currency), currency } : { title: column.title }),
  kind: column.tenths ? "tenths" : (cellKinds[column.kind] ?? "text"),
  value: (row) => cellOf(column, read(row), timezone, row as object),
})

export function cellOf(column: Column, value: unknown, timezone: string, row: object = {}): string | number | null {
  const { kind, names } = column
  if (value === null || value === undefined) return emptyTextOf(row, column) ?? null
  if (kind === "money") return unitsOf(value as number)
  if (kind === "month") return (value as string).slice(0, 7)
  if (kind === "instant") return todayInTimezone(Temporal.Instant.from(value as string), timezone)
  if (kind === "person") {
    const { firstName, lastName } = value as { firstName: string; lastName: string }
    return `${firstName} ${lastName}`
  }
  return names?.[value as string] ?? (value as string | number)
}
