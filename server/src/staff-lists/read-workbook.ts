import * as XLSX from "@e965/xlsx"
import { importLimits } from "@milkwood/domain/staff-lists/staff-list"
import type { SheetRow } from "@milkwood/domain/staff-lists/staff-list-rows"
import readWorkbook from "read-excel-file/node"
import { unreadable } from "../platform/files/unreadable.ts"
import { inspectXls } from "./inspect-xls.ts"
import { inspectWorkbook, visibleSheets } from "./inspect-zip.ts"
import type { Sheet } from "./read-staff-list.ts"

/** Every visible sheet of an .xlsx file. Throws `Unreadable` for what is not one, or is made to do harm. */
export async function readXlsx(bytes: Buffer): Promise<Sheet[]> {
  if (bytes.subarray(0, 4).toString("latin1") !== "PK\u0003\u0004") throw notAWorkbook()
  const visible = new Set(visibleSheets(inspectWorkbook(bytes)))
  const sheets = await readWorkbook(bytes, { trim: false })
  return sheets
    .filter(({ sheet }) => visible.has(sheet))
    .map(({ sheet, data }) => ({ name: sheet, rows: asRows(data) }))
}

/** Every visible sheet of an .xls file. */
export function readXls(bytes: Buffer): Sheet[] {
  if (bytes.readUInt32BE(0) !== 0xd0cf11e0) throw notAWorkbook()
  inspectXls(bytes)
  const book = XLSX.read(bytes, {
    cellDates: false,
    cellNF: true,
    cellFormula: false,
    cellHTML: false,
    dense: true,
    sheetRows: importLimits.rows + 100,
  })
  const epoch1904 = book.Workbook?.WBProps?.date1904 === true
  return book.SheetNames.flatMap((name, index) => {
    const sheet = book.Sheets[name]
    if (!sheet || (book.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0) return []
    const data = (sheet["!data"] ?? []) as (XLSX.CellObject | undefined)[][]
    const rows: SheetRow[] = []
    // Holes are passed over: one cell in the last row and column is one cell.
    data.forEach((cells, row) => {
      const line = row + 1
      const texts: string[] = []
      cells.forEach((cell, column) => {
        const text = cellText(cellValue(cell, epoch1904))
        if (text === "") return
        if (column >= importLimits.columns) throw tooWide(line)
        while (texts.length < column) texts.push("")
        texts.push(text)
      })
      rows.push({ line, cells: texts })
    })
    return [{ name, rows }]
  })
}

/** What a cell holds; a number that its format shows as a date is that date, in the workbook's own count of days. */
function cellValue(cell: XLSX.CellObject | undefined, epoch1904: boolean): unknown {
  if (!cell || cell.t === "e" || cell.t === "z") return null
  if (cell.t !== "n" || typeof cell.v !== "number" || !cell.z || !XLSX.SSF.is_date(String(cell.z))) return cell.v
  const date = XLSX.SSF.parse_date_code(cell.v, { date1904: epoch1904 }) as { y: number; m: number; d: number } | null
  if (!date) return cell.v
  return [String(date.y).padStart(4, "0"), String(date.m).padStart(2, "0"), String(date.d).padStart(2, "0")].join("-")
}

function asRows(data: readonly (readonly unknown[])[]): SheetRow[] {
  return data.map((cells, index) => {
    if (
      cells.length > importLimits.columns &&
      cells.findLastIndex((cell) => cell !== null && cell !== "") >= importLimits.columns
    ) {
      throw tooWide(index + 1)
    }
    return { line: index + 1, cells: cells.slice(0, importLimits.columns).map(cellText) }
  })
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return ""
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? "" : cell.toISOString().slice(0, 10)
  // Whole numbers are written out: an ID number must not become 8.5E+12.
  if (typeof cell === "number") return Number.isInteger(cell) ? cell.toFixed(0) : String(cell)
  return String(cell)
}

const tooWide = (line: number) => unreadable(`Line ${line} has more than ${importLimits.columns} columns.`)

const notAWorkbook = () =>
  unreadable("The file is not an Excel workbook. Save it as .xlsx or as CSV and choose it again.")
