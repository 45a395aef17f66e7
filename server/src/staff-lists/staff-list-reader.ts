import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { staffListLimits } from "@milkwood/domain/staff-lists/staff-list"
import { cleanCell } from "@milkwood/domain/staff-lists/staff-list-cells"
import { suggestMapping } from "@milkwood/domain/staff-lists/staff-list-columns"
import {
  type CheckedRow,
  checkRows,
  nameKey,
  personRowsOf,
  type SheetRow,
} from "@milkwood/domain/staff-lists/staff-list-rows"
import { correctedCells } from "@milkwood/domain/staff-lists/staff-list-steps"
import type { ReadFile } from "../platform/files/read-apart.ts"
import { PackedRow } from "./held-row.ts"
import { type FoundList, readStaffList } from "./read-staff-list.ts"
import {
  type CheckTask,
  copiedRowValues,
  type ListHead,
  type ReaderMessage,
  type ReaderTask,
  type SplitTask,
} from "./reader-messages.ts"

const batchRows = 2_000
const sampleRows = 5
const copyEscapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" }

type SendMessage = (part: ReaderMessage) => Promise<void>

/** Runs in a separate process (`reading.ts`). */
const read: ReadFile<ReaderTask, ReaderMessage> = async (task, send) => {
  if (task.kind === "check") return checkRowsOf(task, send)
  if (task.kind === "divide") return splitList(task, send)
  const list = await readStaffList(readFileSync(task.path), task.extension)
  await send({ kind: "head", list: listHeadOf(list) })
  const all = [PackedRow.of(list.headerLine, list.headers), ...list.rows]
  for (let from = 0; from < all.length; from += batchRows) {
    await send({ kind: "rows", text: Buffer.from(PackedRow.write(all.slice(from, from + batchRows))) })
  }
}
export default read

/** For lists uploaded before rows were stored, the uploaded file is read again. */
async function readListOf({ path, extension }: CheckTask | SplitTask): Promise<Pick<FoundList, "headers" | "rows">> {
  if (extension !== "rows") return readStaffList(readFileSync(path), extension)
  const [header, ...rows] = PackedRow.parse(readFileSync(path, "utf8"))
  return { headers: header!.cells, rows }
}

function listHeadOf(list: FoundList): ListHead {
  const { people, left } = personRowsOf(list.rows, list.headers, suggestMapping(list.headers))
  const { sheet, otherSheets, headers, headerLine, titles } = list
  const below = left.map(({ cells }) => cells.filter(Boolean).join(" · ")).slice(0, 5)
  return {
    sheet: sheet && toStorableText(sheet),
    otherSheets: otherSheets.map(toStorableText),
    headers: headers.map(toStorableText),
    headerLine,
    titles: titles.map(toStorableText),
    rowCount: people.length,
    left: below.map(toStorableText),
    sample: people.slice(0, sampleRows).map(({ cells }) => cells.map(toStorableText)),
  }
}

/** The parts contain the corrected rows. */
async function splitList(task: SplitTask, send: SendMessage): Promise<void> {
  const { headers, rows } = await readListOf(task)
  const parts: PackedRow[][] = Array.from({ length: Math.max(...Object.values(task.parts)) + 1 }, () => [])
  for (const row of rows) {
    const cells = correctedCells(row.cells, task.corrections[row.line])
    parts[task.parts[nameKey(cleanCell(cells[task.column] ?? ""))] ?? 0]!.push(PackedRow.of(row.line, cells))
  }
  for (const [part, held] of parts.entries()) {
    const { people } = personRowsOf(held, headers, suggestMapping(headers))
    const sample = people.slice(0, sampleRows).map(({ cells }) => cells.map(toStorableText))
    const text = Buffer.from(PackedRow.write([PackedRow.of(1, headers), ...held]))
    await send({ kind: "part", part, text, rowCount: people.length, sample })
  }
}

async function checkRowsOf(task: CheckTask, send: SendMessage): Promise<void> {
  const list = await readListOf(task)
  const rows = list.rows.map((row) => {
    const corrected = task.corrections[row.line]
    return corrected ? PackedRow.of(row.line, correctedCells(row.cells, corrected)) : row
  })
  const { people } = personRowsOf(rows, list.headers, task.mapping)
  rows.length = 0
  list.rows = []
  const total = people.length
  let lines: string[] = []
  let row = 0
  const sendBatch = async () => {
    await send({ kind: "batch", copy: new TextEncoder().encode(lines.join("")), rows: row, total })
    lines = []
  }
  for (const checked of checkRows(people, task.mapping, task.context, task.currency)) {
    lines.push(toCopyLine(checked, people[row]!, task))
    row = checked.row
    if (lines.length === batchRows) await sendBatch()
  }
  await sendBatch()
}

/** Control characters and half surrogates cannot be stored. */
function toStorableText(text: string): string {
  return text.slice(0, staffListLimits.cellCharacters).replace(/[\p{Cc}\p{Cs}]+/gu, " ")
}

/** A line for COPY. The member id is created here, so that a commit repeated after a crash creates the same members. */
function toCopyLine(
  checked: CheckedRow,
  source: SheetRow,
  { importId, groupId }: { importId: string; groupId: string },
): string {
  const { person, problems, status, row, line } = checked
  const refused = status === "error"
  const values: Record<(typeof copiedRowValues)[number], string | number | null> = {
    ...{ staffListId: importId, groupId, row, line, status },
    outcome: refused ? null : "joiner",
    problems: problems.length > 0 ? JSON.stringify(problems) : null,
    cells: refused ? toArrayLiteral(source.cells) : null,
    memberId: refused ? null : randomUUID(),
    ...person,
  }
  return `${copiedRowValues.map((name) => toCopyValue(values[name])).join("\t")}\n`
}

function toCopyValue(value: string | number | null): string {
  if (value === null) return "\\N"
  if (typeof value === "number") return String(value)
  return /[\\\t\n\r]/.test(value) ? value.replace(/[\\\t\n\r]/g, (sign) => copyEscapes[sign]!) : value
}

function toArrayLiteral(cells: readonly string[]): string {
  // PostgreSQL cannot store NUL, even in cells that are only returned to the user.
  const quoted = cells.map((cell) => `"${cell.replaceAll("\0", "").replace(/["\\]/g, "\\$&")}"`)
  return `{${quoted.join(",")}}`
}
