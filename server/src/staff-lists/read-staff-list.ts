import type { FindHeader } from "@milkwood/domain/kernel/header-words"
import { staffListLimits } from "@milkwood/domain/staff-lists/staff-list"
import { findHeader } from "@milkwood/domain/staff-lists/staff-list-columns"
import type { SheetRow } from "@milkwood/domain/staff-lists/staff-list-rows"
import { Unreadable, unreadable } from "../platform/files/unreadable.ts"
import type { HeldRow } from "./held-row.ts"
import { readCsv } from "./read-csv.ts"
import { damaged, locked, tooManyRows } from "./unreadable-lists.ts"

/** The sheet of a staff list that holds the members, and where in it they begin. */
export interface FoundList {
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
  rows: HeldRow[]
}

export interface Sheet {
  /** null for a CSV */
  name: string | null
  rows: HeldRow[]
}

/**
 * Reads a staff list: CSV, .xlsx or .xls, by its extension, which the upload has held against its first bytes. Titles
 * above the header and sheets without members are passed over. Every cell becomes text: a date `YYYY-MM-DD`, a number
 * its digits. Runs in a process of its own (reading.ts), because the file may be hostile.
 *
 * `headerOf` finds the header of another list of people. Throws `Unreadable` with a sentence.
 */
export async function readStaffList(
  bytes: Buffer,
  extension: string,
  headerOf: FindHeader = findHeader,
): Promise<FoundList> {
  const names: string[] = []
  let best: { sheet: Sheet; row: number; hits: number } | undefined
  for await (const sheet of sheetsOf(bytes, extension, headerOf)) {
    if (sheet.name) names.push(sheet.name)
    const { row, hits } = headerOf(sheet.rows)
    // The first of the best, so that a copy of the list on a later sheet does not win over the list.
    if (row >= 0 && !(best && best.hits >= hits)) best = { sheet, row, hits }
  }
  if (!best) throw unreadable("The file holds no list: a row of column names with the members below it was not found.")
  const { rows, name } = best.sheet
  const header = rows[best.row]!
  const { line, cells } = header
  const width = cells.findLastIndex((cell) => cell.trim() !== "") + 1
  const below = rows.slice(best.row + 1)
  if (below.length > staffListLimits.rows) throw tooManyRows()
  return {
    sheet: name,
    otherSheets: names.filter((other) => other !== name),
    headers: cells.slice(0, width).map((cell, index) => cell.trim() || `Column ${index + 1}`),
    headerLine: line,
    titles: rows.slice(0, best.row).map(textOfRow).filter(Boolean).slice(0, 5),
    rows: below,
  }
}

async function* sheetsOf(bytes: Buffer, extension: string, headerOf: FindHeader): AsyncGenerator<Sheet> {
  if (extension === "csv" || extension === "txt") return yield { name: null, rows: readCsv(bytes, headerOf) }
  try {
    // Only now: what reads workbooks takes more memory than a long CSV.
    if (extension === "xlsx") yield* (await import("./read-xlsx.ts")).readXlsx(bytes)
    else yield* (await import("./read-xls.ts")).readXls(bytes)
  } catch (error) {
    if (error instanceof Unreadable) throw error
    if (error instanceof Error && /password/i.test(error.message)) {
      throw locked()
    }
    throw damaged()
  }
}

function textOfRow(row: SheetRow): string {
  return row.cells
    .map((cell) => cell.trim())
    .filter(Boolean)
    .join(" · ")
    .slice(0, 200)
}
