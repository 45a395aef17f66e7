import { todayIn } from "@milkwood/domain/kernel/calendar"
import type { Column } from "@milkwood/domain/kernel/list"

/** What a cell of a file holds, so that a spreadsheet knows days and amounts for what they are. */
export type CellKind = "text" | "count" | "money" | "day"

export interface FileColumn<Row> {
  title: string
  kind: CellKind
  /** Text as it is; a count; money in rands; a day as `YYYY-MM-DD`. */
  value(row: Row): string | number | null
}

const cellKinds: Partial<Record<Column["kind"], CellKind>> = {
  money: "money",
  count: "count",
  day: "day",
  instant: "day",
}

/** An amount in cents as spreadsheets add it up. */
export const rands = (cents: number | null): number | null => (cents === null ? null : cents / 100)

/** A column of a list as its file has it: moments as business days, money in rands, words as people read them. */
export const fileColumn = <Row>(column: Column, read: (row: Row) => unknown, timezone: string): FileColumn<Row> => ({
  title: column.title,
  kind: cellKinds[column.kind] ?? "text",
  value: (row) => cellOf(column, read(row), timezone),
})

/** A value as a cell of a file has it. */
export function cellOf({ kind, names, none }: Column, value: unknown, timezone: string): string | number | null {
  if (value === null || value === undefined) return none ?? null
  if (kind === "money") return rands(value as number)
  if (kind === "instant") return todayIn(Temporal.Instant.from(value as string), timezone)
  if (kind === "person") {
    const { firstName, lastName } = value as { firstName: string; lastName: string }
    return `${firstName} ${lastName}`
  }
  return names?.[value as string] ?? (value as string | number)
}
