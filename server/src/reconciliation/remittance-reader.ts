import { readFileSync } from "node:fs"
import { normalizeLine } from "@milkwood/domain/kernel/text"
import { findRemittanceHeader } from "@milkwood/domain/reconciliation/remittance-columns"
import type { ReadFile } from "../platform/files/read-apart.ts"
import { unreadableFile } from "../platform/files/unreadable.ts"
import { readStaffList } from "../staff-lists/read-staff-list.ts"

export interface RemittanceTask {
  path: string
  extension: string
}

/** A row is its line number and cells. */
export type RemittancePart = { headers: string[] } | { rows: [line: number, ...cells: string[]][] }

/** Rows per message. */
const batchRows = 5_000
/** Maximum characters per cell, and in total. */
const maxCellCharacters = 120
const maxListCharacters = 24_000_000

/** Runs in a separate process, as for staff lists. */
const read: ReadFile<RemittanceTask, RemittancePart> = async ({ path, extension }, send) => {
  const { headers, rows } = await readStaffList(readFileSync(path), extension, findRemittanceHeader)
  await send({ headers: headers.map(toStorableCell) })
  let characters = 0
  for (let from = 0; from < rows.length; from += batchRows) {
    const batch = rows.slice(from, from + batchRows).map(({ line, cells }): [number, ...string[]] => {
      const kept = cells.slice(0, headers.length).map(toStorableCell)
      characters += kept.reduce((sum, cell) => sum + cell.length, 0)
      return [line, ...kept]
    })
    if (characters > maxListCharacters) throw unreadableFile("The list is too large. Split it into smaller files.")
    await send({ rows: batch.filter(([, ...cells]) => cells.some(Boolean)) })
  }
}
export default read

const toStorableCell = (cell: string): string => normalizeLine(cell.slice(0, maxCellCharacters))
