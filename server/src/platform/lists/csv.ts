import type { FileColumn } from "./file-column.ts"

/**
 * Text that a spreadsheet would read as a formula gets an apostrophe in front. Some spreadsheets also accept full-width
 * signs and ignore leading blanks.
 */
const formulaPattern = /^(?:[\t\r\0]|[\s\u200b\ufeff]*[=+\-@＝＋－＠])/

type CsvColumn<Row> = Omit<FileColumn<Row>, "kind">

export async function* streamCsv<Row>(
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

export function toCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): Buffer {
  return Buffer.from(csvHead(columns) + csvRows(columns, rows))
}

const csvHead = <Row>(columns: readonly CsvColumn<Row>[]): string =>
  `\uFEFF${columns.map(({ title }) => csvCell(title)).join(",")}\r\n`

function csvRows<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  let text = ""
  for (const row of rows) {
    let separator = ""
    for (const { value } of columns) {
      text += separator + csvCell(value(row) ?? "")
      separator = ","
    }
    text += "\r\n"
  }
  return text
}

const plainCellPattern = /^[a-z0-9](?:[a-z0-9 .:()/'-]*[a-z0-9.)])?$/i

const needsQuotesPattern = /[",\r\n\ufeff]|^ | $/

function csvCell(value: string | number): string {
  if (typeof value === "number") return String(value)
  if (plainCellPattern.test(value)) return value
  if (formulaPattern.test(value)) return `"'${value.replaceAll('"', '""')}"`
  return needsQuotesPattern.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
