import { join } from "node:path"
import { PassThrough, Readable } from "node:stream"
import { staffListLimits } from "@milkwood/domain/staff-lists/staff-list"
import { type FileStore, FileTooLarge, type ReceivedFile } from "../platform/files/files.ts"
import { type ReadingLimits, readInSubprocess } from "../platform/files/read-apart.ts"
import { unreadable } from "../platform/files/unreadable.ts"
import type { Batch, CheckTask, DivideTask, ListHead, Part, PartHead, ReadFrom, Task } from "./reader-messages.ts"

const reader = join(import.meta.dirname, "staff-list-reader.ts")

/** The caller saves or discards `rows`. Throws `Unreadable`. */
export async function readList(files: FileStore, file: ReadFrom): Promise<{ head: ListHead; rows: ReceivedFile }> {
  const text = new PassThrough()
  const received = files.receive(text, staffListLimits.inflatedBytes)
  // Avoids an unhandled rejection: `received` is awaited elsewhere.
  received.catch(() => {})
  let head: ListHead | undefined
  try {
    await readInSubprocess<Task, Part>(reader, { kind: "read", ...file }, limitsOf(file), async (part) => {
      if (part.kind === "head") head = part.list
      if (part.kind !== "rows") return
      await Promise.race([received, new Promise((resolve) => text.write(part.text, resolve))])
    })
    text.end()
    return { head: head!, rows: await received }
  } catch (error) {
    text.destroy(error as Error)
    await received.catch(() => {})
    throw error instanceof FileTooLarge ? unreadable("The list is too large. Split it into smaller files.") : error
  }
}

/**
 * Divides the rows of a list. The first part of the answer stays; the others are in the order of `parts`. The caller
 * saves or discards the files. Throws `Unreadable`.
 */
export async function divideList(
  files: FileStore,
  task: Omit<DivideTask, "kind">,
): Promise<({ rows: ReceivedFile } & PartHead)[]> {
  const divided: ({ rows: ReceivedFile } & PartHead)[] = []
  try {
    await readInSubprocess<Task, Part>(reader, { kind: "divide", ...task }, limitsOf(task), async (part) => {
      if (part.kind !== "part") return
      const { rowCount, sample } = part
      const rows = await files.receive(Readable.from([part.text]), staffListLimits.inflatedBytes)
      divided[part.part] = { rows, rowCount, sample }
    })
    return divided
  } catch (error) {
    for (const { rows } of divided.filter(Boolean)) await files.discard(rows)
    throw error
  }
}

/** `writeBatch` receives the batches one after the other. Returns the number of rows. Throws `Unreadable`. */
export async function checkList(
  task: Omit<CheckTask, "kind">,
  writeBatch: (batch: Batch) => Promise<void>,
): Promise<number> {
  let rows = 0
  await readInSubprocess<Task, Part>(reader, { kind: "check", ...task }, limitsOf(task), async (part) => {
    if (part.kind !== "batch") return
    await writeBatch(part)
    rows = part.total
  })
  return rows
}

function limitsOf({ extension }: ReadFrom): ReadingLimits {
  const { memory, time } = staffListLimits
  return { memory: extension === "xls" ? memory.xls : memory.others, time }
}
