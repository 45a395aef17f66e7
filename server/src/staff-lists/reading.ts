import { join } from "node:path"
import { PassThrough, Readable } from "node:stream"
import { staffListLimits } from "@milkwood/domain/staff-lists/staff-list"
import { type FileStore, FileTooLarge, type ReceivedFile } from "../platform/files/files.ts"
import { type ReadingLimits, readInSubprocess } from "../platform/files/read-apart.ts"
import { unreadableFile } from "../platform/files/unreadable.ts"
import type {
  CheckTask,
  ListFile,
  ListHead,
  ReaderMessage,
  ReaderTask,
  RowBatch,
  SplitPart,
  SplitTask,
} from "./reader-messages.ts"

const reader = join(import.meta.dirname, "staff-list-reader.ts")

/** The caller saves or discards `rows`. Throws `Unreadable`. */
export async function readListFile(files: FileStore, file: ListFile): Promise<{ head: ListHead; rows: ReceivedFile }> {
  const text = new PassThrough()
  const received = files.receive(text, staffListLimits.inflatedBytes)
  // Avoids an unhandled rejection: `received` is awaited elsewhere.
  received.catch(() => {})
  let head: ListHead | undefined
  try {
    await readInSubprocess<ReaderTask, ReaderMessage>(
      reader,
      { kind: "read", ...file },
      readingLimitsOf(file),
      async (part) => {
        if (part.kind === "head") head = part.list
        if (part.kind !== "rows") return
        await Promise.race([received, new Promise((resolve) => text.write(part.text, resolve))])
      },
    )
    text.end()
    return { head: head!, rows: await received }
  } catch (error) {
    text.destroy(error as Error)
    await received.catch(() => {})
    throw error instanceof FileTooLarge ? unreadableFile("The list is too large. Split it into smaller files.") : error
  }
}

/**
 * Divides the rows of a list. The first file has the remaining rows; the others are in the order of `parts`. The caller
 * stores or discards the files. Throws `Unreadable`.
 */
export async function splitListFile(
  files: FileStore,
  task: Omit<SplitTask, "kind">,
): Promise<({ rows: ReceivedFile } & SplitPart)[]> {
  const divided: ({ rows: ReceivedFile } & SplitPart)[] = []
  try {
    await readInSubprocess<ReaderTask, ReaderMessage>(
      reader,
      { kind: "divide", ...task },
      readingLimitsOf(task),
      async (part) => {
        if (part.kind !== "part") return
        const { rowCount, sample } = part
        const rows = await files.receive(Readable.from([part.text]), staffListLimits.inflatedBytes)
        divided[part.part] = { rows, rowCount, sample }
      },
    )
    return divided
  } catch (error) {
    for (const { rows } of divided.filter(Boolean)) await files.discard(rows)
    throw error
  }
}

/** `writeBatch` receives the batches one after the other. Returns the number of rows. Throws `Unreadable`. */
export async function checkListFile(
  task: Omit<CheckTask, "kind">,
  writeBatch: (batch: RowBatch) => Promise<void>,
): Promise<number> {
  let rows = 0
  await readInSubprocess<ReaderTask, ReaderMessage>(
    reader,
    { kind: "check", ...task },
    readingLimitsOf(task),
    async (part) => {
      if (part.kind !== "batch") return
      await writeBatch(part)
      rows = part.total
    },
  )
  return rows
}

function readingLimitsOf({ extension }: ListFile): ReadingLimits {
  const { memory, time } = staffListLimits
  return { memory: extension === "xls" ? memory.xls : memory.others, time }
}
