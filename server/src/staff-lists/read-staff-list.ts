import type { FindHeader } from "@milkwood/domain/kernel/header-words"
import { staffListLimits } from "@milkwood/domain/staff-lists/staff-list"
import { findHeader } from "@milkwood/domain/staff-lists/staff-list-columns"
import type { SheetRow } from "@milkwood/domain/staff-lists/staff-list-rows"
import { UnreadableFile, unreadableFile } from "../platform/files/unreadable.ts"
import type { PackedRow } from "./held-row.ts"
import { readCsv } from "./read-csv.ts"
import { damagedWorkbookError, lockedWorkbookError, tooManyRowsError } from "./unreadable-lists.ts"

export interface FoundList {
  sheet: string | null
  otherSheets: string[]
  headers: string[]
  /** counted from 1 */
  headerLine: number
  titles: string[]
  rows: PackedRow[]
}

export interface Sheet {
  name: string | null
  rows: PackedRow[]
}

/**
 * Reads a staff list as text: dates as `YYYY-MM-DD`, numbers as digits. Skips titles above the header and sheets
 * without members. Runs in a separate process (reading.ts), because the file may be hostile.
 *
 * `headerOf` finds the header of another kind of list. Throws `Unreadable` with a sentence.
 */
export async function readStaffList(
  bytes: Buffer,
  extension: string,
  headerOf: FindHeader = findHeader,
): Promise<FoundList> {
  const names: string[] = []
  let best: { sheet: Sheet; row: number; hits: number } | undefined
  for await (const sheet of readSheets(bytes, extension, headerOf)) {
    if (sheet.name) names.push(sheet.name)
    const { row, hits } = headerOf(sheet.rows)
    // The first of equally good sheets, because a later one may be a copy.
    if (row >= 0 && !(best && best.hits >= hits)) best = { sheet, row, hits }
  }
  if (!best) throw unreadableFile("No list found: the file has no row of column names with members below it.")
  const { rows, name } = best.sheet
  const header = rows[best.row]!
  const { line, cells } = header
  const width = cells.findLastIndex((cell) => cell.trim() !== "") + 1
  const below = rows.slice(best.row + 1)
  if (below.length > staffListLimits.rows) throw tooManyRowsError()
  return {
    sheet: name,
    otherSheets: names.filter((other) => other !== name),
    headers: cells.slice(0, width).map((cell, index) => cell.trim() || `Column ${index + 1}`),
    headerLine: line,
    titles: rows.slice(0, best.row).map(rowText).filter(Boolean).slice(0, 5),
    rows: below,
  }
}

async function* readSheets(bytes: Buffer, extension: string, headerOf: FindHeader): AsyncGenerator<Sheet> {
  if (extension === "csv" || extension === "txt") return yield { name: null, rows: readCsv(bytes, headerOf) }
  try {
    // Imported late: the workbook readers need more memory than a long CSV.
    if (extension === "xlsx") yield* (await import("./read-xlsx.ts")).readXlsx(bytes)
    else yield* (await import("./read-xls.ts")).readXls(bytes)
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    if (error instanceof Error && /password/i.test(error.message)) {
      throw lockedWorkbookError()
    }
    throw damagedWorkbookError()
  }
}

function rowText(row: SheetRow): string {
  return row.cells
    .map((cell) => cell.trim())
    .filter(Boolean)
    .join(" · ")
    .slice(0, 200)
}
