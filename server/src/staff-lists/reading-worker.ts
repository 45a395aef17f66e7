import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { parentPort, workerData } from "node:worker_threads"
import { importLimits } from "@milkwood/domain/staff-lists/staff-list"
import { suggestMapping } from "@milkwood/domain/staff-lists/staff-list-columns"
import { type CheckedRow, checkRows, peopleRows, type SheetRow } from "@milkwood/domain/staff-lists/staff-list-rows"
import { readStaffList } from "./read-staff-list.ts"
import type { Answer, Batch, Task } from "./reading-thread.ts"
import { Unreadable } from "./unreadable.ts"

/** How many rows travel to the database at once. */
const batchRows = 2_000
const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" }

const port = parentPort!
const task = workerData as Task

try {
  const list = await readStaffList(readFileSync(task.path), task.extension)
  if (task.kind === "read") {
    const { people, left } = peopleRows(list.rows, list.headers, suggestMapping(list.headers))
    const { sheet, otherSheets, headers, headerLine, titles } = list
    const below = left.map(({ cells }) => cells.filter(Boolean).join(" · ")).slice(0, 5)
    answer({
      kind: "read",
      list: {
        sheet: sheet && storable(sheet),
        otherSheets: otherSheets.map(storable),
        headers: headers.map(storable),
        headerLine,
        titles: titles.map(storable),
        rowCount: people.length,
        left: below.map(storable),
        sample: people.slice(0, 5).map(({ cells }) => cells.map(storable)),
      },
    })
  } else {
    const { people } = peopleRows(list.rows, list.headers, task.mapping)
    list.rows = []
    const total = people.length
    let lines: string[] = []
    let row = 0
    for (const checked of checkRows(people, task.mapping, task.context)) {
      lines.push(copyLine(checked, people[row]!, task))
      row = checked.row
      if (lines.length === batchRows) {
        await hand({ rows: row, total }, lines)
        lines = []
      }
    }
    await hand({ rows: row, total }, lines)
    answer({ kind: "checked", rows: total })
  }
} catch (error) {
  // Any other failure ends the thread, and reading-thread.ts says what the user reads about it.
  if (!(error instanceof Unreadable)) throw error
  answer({ kind: "unreadable", sentence: error.message })
}
port.close()

/** What is shown before the rows are checked, cut as the checked cells are, without what no database keeps. */
function storable(text: string): string {
  return text.slice(0, importLimits.cellCharacters).replace(/[\p{Cc}\p{Cs}]+/gu, " ")
}

/** Sends a batch and waits until the database has taken it, so that a long list is never held twice. */
async function hand(progress: Omit<Batch, "kind" | "copy">, lines: string[]): Promise<void> {
  const copy = new TextEncoder().encode(lines.join(""))
  const taken = new Promise((resolve) => port.once("message", resolve))
  port.postMessage({ kind: "batch", copy, ...progress } satisfies Answer, [copy.buffer])
  await taken
}

function answer(message: Answer): void {
  port.postMessage(message)
}

/**
 * A row as PostgreSQL's COPY reads it; the columns are `copyColumns`. The member's id is made here, once: a commit that
 * is begun again after a crash makes the same members.
 */
function copyLine(
  checked: CheckedRow,
  source: SheetRow,
  { importId, groupId }: { importId: string; groupId: string },
): string {
  const { person, problems, status } = checked
  const refused = status === "error"
  const values = [
    importId,
    groupId,
    checked.row,
    checked.line,
    status,
    refused ? null : "joiner",
    problems.length > 0 ? JSON.stringify(problems) : null,
    refused ? arrayLiteral(source.cells) : null,
    refused ? null : randomUUID(),
    person.firstName,
    person.lastName,
    person.idNumber,
    person.passportNumber,
    person.email,
    person.phone,
    person.address,
    person.dateOfBirth,
    person.gender,
    person.employmentStatus,
    person.employer,
    person.jobTitle,
    person.tierId,
    person.startOn,
  ]
  return `${values.map(copyValue).join("\t")}\n`
}

function copyValue(value: string | number | null): string {
  if (value === null) return "\\N"
  if (typeof value === "number") return String(value)
  return /[\\\t\n\r]/.test(value) ? value.replace(/[\\\t\n\r]/g, (sign) => escapes[sign]!) : value
}

function arrayLiteral(cells: readonly string[]): string {
  // A NUL cannot be stored, not even in what is only kept to be sent back.
  const quoted = cells.map((cell) => `"${cell.replaceAll("\0", "").replace(/["\\]/g, "\\$&")}"`)
  return `{${quoted.join(",")}}`
}
