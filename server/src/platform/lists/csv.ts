import Papa from "papaparse"

/** Text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay numbers. */
const formula = /^[=+\-@\t\r\0]/

export interface CsvColumn<Row> {
  title: string
  /** Text as it is, or a number; amounts of money as rands. */
  value(row: Row): string | number | null
}

/** An amount in cents as spreadsheets add it up. */
export const rands = (cents: number | null): number | null => (cents === null ? null : cents / 100)

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
