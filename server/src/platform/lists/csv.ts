import { todayIn } from "@milkwood/domain/kernel/calendar"
import type { Column } from "@milkwood/domain/kernel/list"
import Papa from "papaparse"

/**
 * Text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay numbers. Some take the wide
 * signs of East Asian keyboards for the plain ones, and drop what is blank before them.
 */
const formula = /^(?:[\t\r\0]|[\s\u200b\ufeff]*[=+\-@＝＋－＠])/

export interface CsvColumn<Row> {
  title: string
  /** Text as it is, or a number; amounts of money as rands. */
  value(row: Row): string | number | null
}

/** An amount in cents as spreadsheets add it up. */
export const rands = (cents: number | null): number | null => (cents === null ? null : cents / 100)

/** A value of a list as its file has it: moments as business days, money in rands, words as people read them. */
export function cellOf({ kind, names }: Column, value: unknown, timezone: string): string | number | null {
  if (value === null || value === undefined) return null
  if (kind === "money") return rands(value as number)
  if (kind === "instant") return todayIn(Temporal.Instant.from(value as string), timezone)
  if (kind === "person") {
    const { firstName, lastName } = value as { firstName: string; lastName: string }
    return `${firstName} ${lastName}`
  }
  return names?.[value as string] ?? (value as string | number)
}

/** A status of one word as people read it: "Overdue". */
export const capitalised = (status: string): string => status.charAt(0).toUpperCase() + status.slice(1)

/** The line of titles, after the mark by which spreadsheets know UTF-8. */
export function csvHead<Row>(columns: readonly CsvColumn<Row>[]): string {
  return `\uFEFF${lines([columns.map((column) => column.title)])}`
}

/** Rows as lines of CSV that spreadsheets open right: CRLF, no formulas. */
export function csvRows<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  return rows.length === 0 ? "" : lines(rows.map((row) => columns.map((column) => column.value(row) ?? "")))
}

/** A whole table as CSV; for what can be long, `csvHead` and then `csvRows` as they come. */
export function toCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): Buffer {
  return Buffer.from(csvHead(columns) + csvRows(columns, rows))
}

function lines(data: (string | number)[][]): string {
  return `${Papa.unparse(data, { escapeFormulae: formula, newline: "\r\n" })}\r\n`
}
