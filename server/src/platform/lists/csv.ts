import type { FileColumn } from "./file-column.ts"

/**
 * Text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay numbers. Some take the wide
 * signs of East Asian keyboards for the plain ones, and drop what is blank before them.
 */
const formula = /^(?:[\t\r\0]|[\s\u200b\ufeff]*[=+\-@＝＋－＠])/

type CsvColumn<Row> = Omit<FileColumn<Row>, "kind">

/** Batches of rows as CSV that spreadsheets open right: their mark of UTF-8, the titles, CRLF, no formulas. */
export async function* csvOf<Row>(
  columns: readonly CsvColumn<Row>[],
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  let head = csvHead(columns)
  for await (const rows of batches) {
    yield head + csvRows(columns, rows)
    head = ""
  }
  if (head) yield head
}

/** A whole table as CSV, for what is short. */
export function toCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): Buffer {
  return Buffer.from(csvHead(columns) + csvRows(columns, rows))
}

const csvHead = <Row>(columns: readonly CsvColumn<Row>[]): string =>
  `\uFEFF${columns.map(({ title }) => cell(title)).join(",")}\r\n`

/** One text that grows: lists of cells and of lines, a million times, would be work for the collector alone. */
function csvRows<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  let text = ""
  for (const row of rows) {
    let separator = ""
    for (const { value } of columns) {
      text += separator + cell(value(row) ?? "")
      separator = ","
    }
    text += "\r\n"
  }
  return text
}

/** What most cells are: neither a formula nor anything that is quoted. */
const plain = /^[a-z0-9](?:[a-z0-9 .:()/'-]*[a-z0-9.)])?$/i

/** What stands in quotes: what would end the cell or the line, and blanks that some leave out. */
const quoted = /[",\r\n\ufeff]|^ | $/

function cell(value: string | number): string {
  if (typeof value === "number") return String(value)
  if (plain.test(value)) return value
  if (formula.test(value)) return `"'${value.replaceAll('"', '""')}"`
  return quoted.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
