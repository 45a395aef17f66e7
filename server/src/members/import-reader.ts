import * as XLSX from "@e965/xlsx"
import { importLimits } from "@milkwood/domain/members/member-import"
import { findHeader } from "@milkwood/domain/members/member-import-columns"
import type { SheetRow } from "@milkwood/domain/members/member-import-rows"
import readWorkbook from "read-excel-file/node"
import { readCsv } from "./import-csv.ts"
import { Unreadable, unreadable } from "./import-unreadable.ts"
import { inspectWorkbook, visibleSheets } from "./import-zip.ts"

/** The sheet of a staff list that holds the members, and where in it they begin. */
export interface StaffList {
  /** null for a CSV */
  sheet: string | null
  /** the other sheets, which were not looked at further */
  otherSheets: string[]
  headers: string[]
  /** of the header, counted from 1 */
  headerLine: number
  /** what stood above the header */
  titles: string[]
  /** everything below the header */
  rows: SheetRow[]
}

interface Sheet {
  name: string | null
  rows: SheetRow[]
}

/**
 * Reads a staff list: CSV, .xlsx or .xls, by its extension, which the upload has held against its first bytes. Titles
 * above the header and sheets without members are passed over. Every cell becomes text: a date `YYYY-MM-DD`, a number
 * its digits. Runs in a thread of its own (import-thread.ts), because the file may be hostile.
 *
 * Throws `Unreadable` with a sentence.
 */
export async function readStaffList(bytes: Buffer, extension: string): Promise<StaffList> {
  const sheets = await readSheets(bytes, extension)
  const ranked = sheets
    .map((sheet) => ({ sheet, header: findHeader(sheet.rows.map(({ cells }) => cells)) }))
    .filter(({ header }) => header.row >= 0)
  // The first of the best, so that a copy of the list on a later sheet does not win over the list.
  const best = ranked.reduce<(typeof ranked)[number] | undefined>(
    (found, next) => (found && found.header.hits >= next.header.hits ? found : next),
    undefined,
  )
  if (!best) throw unreadable("The file holds no list: a row of column names with the members below it was not found.")
  const { rows, name } = best.sheet
  const header = rows[best.header.row]!
  const width = header.cells.findLastIndex((cell) => cell.trim() !== "") + 1
  const below = rows.slice(best.header.row + 1)
  if (below.length > importLimits.rows) {
    throw unreadable(`The list has more than ${importLimits.rows.toLocaleString("en-ZA")} rows. Split it.`)
  }
  return {
    sheet: name,
    otherSheets: sheets.map((sheet) => sheet.name ?? "").filter((other) => other && other !== name),
    headers: header.cells.slice(0, width).map((cell, index) => cell.trim() || `Column ${index + 1}`),
    headerLine: header.line,
    titles: rows.slice(0, best.header.row).map(textOfRow).filter(Boolean).slice(0, 5),
    rows: below,
  }
}

async function readSheets(bytes: Buffer, extension: string): Promise<Sheet[]> {
  if (extension === "csv" || extension === "txt") return [{ name: null, rows: readCsv(bytes) }]
  try {
    return extension === "xlsx" ? await readXlsx(bytes) : readXls(bytes)
  } catch (error) {
    if (error instanceof Unreadable) throw error
    if (error instanceof Error && /password/i.test(error.message)) {
      throw unreadable("The workbook is protected with a password. Remove it and choose the file again.")
    }
    throw unreadable("The workbook is damaged and cannot be opened. Save it again and choose the new file.")
  }
}

async function readXlsx(bytes: Buffer): Promise<Sheet[]> {
  if (bytes.subarray(0, 4).toString("latin1") !== "PK\u0003\u0004") throw notAWorkbook()
  const visible = new Set(visibleSheets(inspectWorkbook(bytes)))
  const sheets = await readWorkbook(bytes, { trim: false })
  return sheets
    .filter(({ sheet }) => visible.has(sheet))
    .map(({ sheet, data }) => ({ name: sheet, rows: asRows(data) }))
}

function readXls(bytes: Buffer): Sheet[] {
  if (bytes.readUInt32BE(0) !== 0xd0cf11e0) throw notAWorkbook()
  const book = XLSX.read(bytes, {
    cellDates: false,
    cellNF: true,
    cellFormula: false,
    cellHTML: false,
    sheetRows: importLimits.rows + 100,
  })
  const epoch1904 = book.Workbook?.WBProps?.date1904 === true
  return book.SheetNames.flatMap((name, index) => {
    const sheet = book.Sheets[name]
    if (!sheet || (book.Workbook?.Sheets?.[index]?.Hidden ?? 0) !== 0) return []
    const range = XLSX.utils.decode_range(sheet["!ref"] ?? "A1")
    const data = Array.from({ length: range.e.r + 1 }, (_, row) =>
      Array.from({ length: Math.min(range.e.c, importLimits.columns) + 1 }, (_, column) =>
        cellValue(sheet[XLSX.utils.encode_cell({ r: row, c: column })] as XLSX.CellObject | undefined, epoch1904),
      ),
    )
    return [{ name, rows: asRows(data) }]
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
      throw unreadable(`Line ${index + 1} has more than ${importLimits.columns} columns.`)
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

function textOfRow(row: SheetRow): string {
  return row.cells
    .map((cell) => cell.trim())
    .filter(Boolean)
    .join(" · ")
    .slice(0, 200)
}

const notAWorkbook = () =>
  unreadable("The file is not an Excel workbook. Save it as .xlsx or as CSV and choose it again.")
