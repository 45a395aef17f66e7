import { importLimits } from "@milkwood/domain/staff-lists/staff-list"
import { findHeader } from "@milkwood/domain/staff-lists/staff-list-columns"
import type { SheetRow } from "@milkwood/domain/staff-lists/staff-list-rows"
import { Unreadable, unreadable } from "../platform/files/unreadable.ts"
import { readCsv } from "./read-csv.ts"

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

export interface Sheet {
  /** null for a CSV */
  name: string | null
  rows: SheetRow[]
}

/**
 * Reads a staff list: CSV, .xlsx or .xls, by its extension, which the upload has held against its first bytes. Titles
 * above the header and sheets without members are passed over. Every cell becomes text: a date `YYYY-MM-DD`, a number
 * its digits. Runs in a thread of its own (reading.ts), because the file may be hostile.
 *
 * Throws `Unreadable` with a sentence.
 */
export async function readStaffList(bytes: Buffer, extension: string): Promise<StaffList> {
  const sheets = await readSheets(bytes, extension)
  const ranked = sheets
    .map((sheet) => ({ sheet, header: findHeader(sheet.rows) }))
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
  // Only now: what reads workbooks takes more memory than a long CSV.
  const { readXls, readXlsx } = await import("./read-workbook.ts")
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

function textOfRow(row: SheetRow): string {
  return row.cells
    .map((cell) => cell.trim())
    .filter(Boolean)
    .join(" · ")
    .slice(0, 200)
}
