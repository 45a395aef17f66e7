import * as XLSX from "@e965/xlsx"
import { staffListLimits } from "@milkwood/domain/staff-lists/staff-list"
import { unreadableFile } from "../platform/files/unreadable.ts"
import { formatDayNumber, formatNumber, isDateFormat } from "./cell-text.ts"
import { PackedRow } from "./held-row.ts"
import type { Sheet } from "./read-staff-list.ts"
import {
  impossibleCellsError,
  lockedWorkbookError,
  notAWorkbookError,
  tooManyCellsError,
  tooWideError,
} from "./unreadable-lists.ts"

/** Visible sheets only. Throws `Unreadable` for other or malicious files. */
export function* readXls(bytes: Buffer): Generator<Sheet> {
  if (bytes.readUInt32BE(0) !== 0xd0cf11e0) throw notAWorkbookError()
  checkWorkbook(bytes)
  const book = XLSX.read(bytes, {
    cellDates: false,
    cellNF: true,
    cellFormula: false,
    cellHTML: false,
    dense: true,
    sheetRows: staffListLimits.rows + staffListLimits.maxSurroundingRows,
  })
  const epoch1904 = book.Workbook?.WBProps?.date1904 === true
  for (const [index, name] of book.SheetNames.entries()) {
    const sheet = book.Sheets[name]
    if (!sheet || (book.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0) continue
    const rows: PackedRow[] = []
    // `forEach` skips holes in the sparse array.
    const found = (sheet["!data"] ?? []) as (XLSX.CellObject | undefined)[][]
    found.forEach((cells, row) => {
      const texts: string[] = []
      cells.forEach((cell, column) => {
        const text = cellText(cell, epoch1904).slice(0, staffListLimits.cellCharacters)
        if (text === "") return
        if (column >= staffListLimits.columns) throw tooWideError(row + 1)
        while (texts.length < column) texts.push("")
        texts.push(text)
      })
      if (texts.length > 0) rows.push(PackedRow.of(row + 1, texts))
    })
    yield { name, rows }
  }
}

function cellText(cell: XLSX.CellObject | undefined, epoch1904: boolean): string {
  if (!cell || cell.t === "e" || cell.t === "z" || cell.v === undefined || cell.v === null) return ""
  if (typeof cell.v !== "number") return String(cell.v)
  return cell.z && isDateFormat(String(cell.z)) ? formatDayNumber(cell.v, epoch1904) : formatNumber(cell.v)
}

const recordTypes = { filePass: 0x2f, boundSheet: 0x85, dimensions: 0x200, multipleNumbers: 0xbd, multipleBlanks: 0xbe }
const cellRecordTypes = new Set([0x06, 0x201, 0x203, 0x204, 0x205, 0x27e, 0xd6, 0xfd])

/**
 * Refuses too many sheets or cells, and sheets beyond the format's limits (65,536 rows, 256 columns), before parsing.
 */
function checkWorkbook(bytes: Buffer): void {
  const container = XLSX.CFB.read(bytes, { type: "buffer" })
  const stream = XLSX.CFB.find(container, "/Workbook") ?? XLSX.CFB.find(container, "/Book")
  // Without a workbook stream, the parser reports the reason, such as a password.
  if (!stream) return
  const content = Buffer.from(stream.content as Uint8Array)
  let sheets = 0
  let cells = 0
  for (let at = 0; at + 4 <= content.length; ) {
    const kind = content.readUInt16LE(at)
    const length = content.readUInt16LE(at + 2)
    if (kind === recordTypes.filePass) throw lockedWorkbookError()
    if (kind === recordTypes.boundSheet) sheets += 1
    if (kind === recordTypes.dimensions && length >= 14 && at + 18 <= content.length) {
      if (content.readUInt32LE(at + 8) > 65_536 || content.readUInt16LE(at + 14) > 256) throw impossibleCellsError()
    }
    if (cellRecordTypes.has(kind)) cells += 1
    // Six bytes per number, two per blank, six of overhead.
    if (kind === recordTypes.multipleNumbers) cells += Math.floor((length - 6) / 6)
    if (kind === recordTypes.multipleBlanks) cells += Math.floor((length - 6) / 2)
    if (sheets > staffListLimits.sheets)
      throw unreadableFile(`The workbook has more than ${staffListLimits.sheets} sheets.`)
    if (cells > staffListLimits.cells) throw tooManyCellsError()
    at += 4 + length
  }
}
