import { once } from "node:events"
import { Readable } from "node:stream"
import type { Currency } from "@milkwood/domain/kernel/money"
import { ZipFile } from "yazl"
import type { CellKind, FileColumn } from "./file-column.ts"

/** Excel's maximum rows, header included; more rows continue in the next sheet. */
const maxSheetRows = 1_048_576
/** Excel's maximum characters in a cell. */
const maxCellCharacters = 32_767

const formats = {
  text: 0,
  count: 1,
  money: 2,
  day: 3,
  title: 4,
  countTotal: 5,
  moneyTotal: 6,
  tenths: 7,
  month: 8,
  tenthsTotal: 9,
}
const totalFormats: Partial<Record<CellKind, number>> = { money: formats.moneyTotal, tenths: formats.tenthsTotal }
/** Amounts in rand have no symbol, as in earlier exports. */
const moneyFormats: Record<Currency, string | null> = {
  ZAR: null,
  USD: "[$$-409]\\ #,##0.00",
  EUR: "[$€-2]\\ #,##0.00",
}
const widths: Record<CellKind, number> = { text: 26, count: 12, tenths: 12, money: 16, day: 13, month: 13 }

/**
 * Batches of rows as an Excel workbook, streamed: only one batch and the zip buffer are in memory. Amounts and counts
 * are numbers; days and months are dates; text that looks like a formula stays text.
 *
 * `totals` is read after all rows. It adds filters to the headers and a totals row, which uses formulas if all rows are
 * on one sheet.
 */
export async function* streamXlsx<Row>(
  name: string,
  columns: readonly FileColumn<Row>[],
  batches: AsyncIterable<readonly Row[]>,
  rowsPerSheet: number = maxSheetRows,
  totals?: () => readonly (number | null)[],
): AsyncGenerator<Buffer> {
  const rows = batches[Symbol.asyncIterator]()
  // Reads the first batch before sending a byte, so that an unreadable list is refused, not truncated.
  let batch = await rows.next()
  const zip = new ZipFile()
  const output = zip.outputStream as Readable

  const letters = columns.map((_, index) => columnLetterOf(index))

  async function* writeSheet(isFirst: boolean): AsyncGenerator<string> {
    yield sheetHead(columns, letters)
    let line = 1
    while (!batch.done && line < rowsPerSheet) {
      const taken = batch.value.slice(0, rowsPerSheet - line)
      yield taken
        .map((row) => {
          line += 1
          return rowXml(columns, row, letters, line)
        })
        .join("")
      batch = taken.length < batch.value.length ? { value: batch.value.slice(taken.length) } : await rows.next()
    }
    const sums = batch.done && line < rowsPerSheet ? totals?.() : undefined
    if (sums) yield totalsRow(columns, sums, letters, line, isFirst)
    yield `</sheetData>${totals && line > 1 ? `<autoFilter ref="A1:${letters.at(-1)}${line}"/>` : ""}</worksheet>`
  }
  async function writeSheets(): Promise<void> {
    let sheets = 0
    do {
      sheets += 1
      const content = Readable.from(writeSheet(sheets === 1))
      zip.addReadStream(content, `xl/worksheets/sheet${sheets}.xml`)
      await once(content, "close")
      if (content.errored) throw content.errored
    } while (!batch.done)
    for (const [path, text] of Object.entries(
      workbookParts(name, sheets, columns.find(({ currency }) => currency)?.currency ?? "ZAR"),
    ))
      zip.addBuffer(Buffer.from(xmlDeclaration + text), path)
    zip.end()
  }
  zip.on("error", (error: Error) => output.destroy(error))
  writeSheets().catch((error: Error) => output.destroy(error))
  yield* output as AsyncIterable<Buffer>
}

const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const spreadsheetNamespace = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const relationshipsNamespace = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const packageNamespace = "http://schemas.openxmlformats.org/package/2006"
const contentTypesNamespace = "application/vnd.openxmlformats-officedocument.spreadsheetml"

/** Characters that XML cannot contain, including half surrogates. */
const invalidXmlCharacters = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu
const xmlEntities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }
const escapeXml = (text: string): string =>
  text
    .slice(0, maxCellCharacters)
    .replace(invalidXmlCharacters, "")
    .replace(/[&<>"]/g, (mark) => xmlEntities[mark]!)

const columnLetterOf = (index: number): string =>
  (index >= 26 ? columnLetterOf(Math.floor(index / 26) - 1) : "") + String.fromCharCode(65 + (index % 26))

function sheetHead(columns: readonly FileColumn<never>[], letters: readonly string[]): string {
  const widthOf = ({ kind, title }: FileColumn<never>) => Math.max(widths[kind], title.length + 3)
  const cols = columns.map((column, index) => {
    return `<col min="${index + 1}" max="${index + 1}" width="${widthOf(column)}" customWidth="1"/>`
  })
  const titles = columns.map(({ title }, index) => textCellXml(`${letters[index]}1`, title, formats.title)).join("")
  return `${xmlDeclaration}<worksheet xmlns="${spreadsheetNamespace}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${cols.join("")}</cols><sheetData><row r="1">${titles}</row>`
}

const rowXml = <Row>(columns: readonly FileColumn<Row>[], row: Row, letters: readonly string[], line: number) =>
  `<row r="${line}">${columns.map(({ kind, value }, index) => cellXml(`${letters[index]}${line}`, kind, value(row))).join("")}</row>`

function cellXml(place: string, kind: CellKind, value: string | number | null): string {
  if (value === null || value === "") return ""
  const number =
    typeof value === "number" ? value : kind in daySuffixes ? excelDateSerial(value + daySuffixes[kind]!) : null
  if (number === null) return textCellXml(place, String(value), formats.text)
  return `<c r="${place}" s="${formats[kind]}"><v>${number}</v></c>`
}

function totalsRow(
  columns: readonly FileColumn<never>[],
  sums: readonly (number | null)[],
  letters: readonly string[],
  line: number,
  isAll: boolean,
): string {
  const cells = columns.map(({ kind, ratio }, index) => {
    const place = `${letters[index]}${line + 1}`
    const sum = sums[index] ?? null
    if (sum === null) return index === 0 ? textCellXml(place, "Total", formats.title) : ""
    const under = (at: number) => `${letters[at]}${line + 1}`
    const worked = ratio
      ? `IF(${under(ratio.whole)}&gt;0,ROUND(${under(ratio.part)}*100/${under(ratio.whole)},1),"")`
      : `SUM(${letters[index]}2:${letters[index]}${line})`
    const formula = isAll && line > 1 ? `<f>${worked}</f>` : ""
    return `<c r="${place}" s="${totalFormats[kind] ?? formats.countTotal}">${formula}<v>${sum}</v></c>`
  })
  return `<row r="${line + 1}">${cells.join("")}</row>`
}

const textCellXml = (place: string, text: string, format: number): string =>
  `<c r="${place}" s="${format}" t="inlineStr"><is><t xml:space="preserve">${escapeXml(text)}</t></is></c>`

const daySuffixes: Partial<Record<CellKind, string>> = { day: "", month: "-01" }

/** The Excel day number; null for days before Excel's first correct date. */
function excelDateSerial(day: string): number | null {
  const days = Date.parse(`${day}T00:00:00Z`) / 86_400_000 + 25_569
  return days > 60 ? days : null
}

function workbookParts(name: string, sheets: number, currency: Currency): Record<string, string> {
  const each = (part: (number: number) => string) => Array.from({ length: sheets }, (_, at) => part(at + 1)).join("")
  const plain =
    name
      .replace(/[\\/?*[\]:]+/g, " ")
      .slice(0, 31)
      .replace(/^[\s']+|[\s']+$/g, "") || "Report"
  const named = (number: number) => escapeXml(number === 1 ? plain : `${plain.slice(0, 26)} ${number}`)
  const styles = sheets + 1
  const money = moneyFormats[currency]
  return {
    "[Content_Types].xml": `<Types xmlns="${packageNamespace}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${contentTypesNamespace}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${contentTypesNamespace}.styles+xml"/>${each((number) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${contentTypesNamespace}.worksheet+xml"/>`)}</Types>`,
    "_rels/.rels": `<Relationships xmlns="${packageNamespace}/relationships"><Relationship Id="rId1" Type="${relationshipsNamespace}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook xmlns="${spreadsheetNamespace}" xmlns:r="${relationshipsNamespace}"><sheets>${each((number) => `<sheet name="${named(number)}" sheetId="${number}" r:id="rId${number}"/>`)}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${packageNamespace}/relationships">${each((number) => `<Relationship Id="rId${number}" Type="${relationshipsNamespace}/worksheet" Target="worksheets/sheet${number}.xml"/>`)}<Relationship Id="rId${styles}" Type="${relationshipsNamespace}/styles" Target="styles.xml"/></Relationships>`,
    "xl/styles.xml": `<styleSheet xmlns="${spreadsheetNamespace}"><numFmts count="${money ? 4 : 3}"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="#,##0.0"/><numFmt numFmtId="167" formatCode="mmm\\ yyyy"/>${money ? `<numFmt numFmtId="166" formatCode="${money}"/>` : ""}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="10"><xf numFmtId="0"/><xf numFmtId="3" applyNumberFormat="1"/><xf numFmtId="${money ? 166 : 4}" applyNumberFormat="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="0" fontId="1" applyFont="1"/><xf numFmtId="3" fontId="1" applyNumberFormat="1" applyFont="1"/><xf numFmtId="${money ? 166 : 4}" fontId="1" applyNumberFormat="1" applyFont="1"/><xf numFmtId="165" applyNumberFormat="1"/><xf numFmtId="167" applyNumberFormat="1"/><xf numFmtId="165" fontId="1" applyNumberFormat="1" applyFont="1"/></cellXfs></styleSheet>`,
  }
}
