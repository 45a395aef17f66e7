import Papa from "papaparse"

/** Text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay numbers. */
const formula = /^[=+\-@\t\r\0]/

export interface CsvColumn<Row> {
  title: string
  /** Text as it is, or a number; amounts of money as rands. */
  value(row: Row): string | number | null
}

/** A table as CSV that spreadsheets open right: UTF-8 with its mark, CRLF, no formulas. */
export function toCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): Buffer {
  const text = Papa.unparse(
    {
      fields: columns.map((column) => column.title),
      data: rows.map((row) => columns.map((column) => column.value(row) ?? "")),
    },
    { escapeFormulae: formula, newline: "\r\n" },
  )
  return Buffer.from(`\uFEFF${text}\r\n`)
}
