import { join } from "node:path"
import { Worker } from "node:worker_threads"
import { importLimits } from "@milkwood/domain/staff-lists/staff-list"
import type { ImportMapping } from "@milkwood/domain/staff-lists/staff-list-columns"
import type { ImportContext } from "@milkwood/domain/staff-lists/staff-list-rows"
import type { StaffList } from "./read-staff-list.ts"
import { unreadable } from "./unreadable.ts"

/** What the thread finds in a list before its columns are mapped. */
export interface ListHead extends Omit<StaffList, "rows"> {
  rowCount: number
  /** what stood below the list and is nobody: totals, remarks */
  left: string[]
  sample: string[][]
}

interface File {
  path: string
  extension: string
}

interface CheckTask extends File {
  kind: "check"
  importId: string
  groupId: string
  mapping: ImportMapping
  context: ImportContext
}

export type Task = ({ kind: "read" } & File) | CheckTask

/** Checked rows on their way to COPY, and how far they reach. */
export interface Batch {
  kind: "batch"
  copy: Uint8Array<ArrayBuffer>
  rows: number
  total: number
}

export type Answer =
  | { kind: "read"; list: ListHead }
  | Batch
  | { kind: "checked"; rows: number }
  | { kind: "unreadable"; sentence: string }

/** The columns of `member_import_rows` that a batch fills, in the order of its values. */
export const copyColumns = [
  "import_id",
  "group_id",
  "row",
  "line",
  "status",
  "outcome",
  "problems",
  "cells",
  "member_id",
  "first_name",
  "last_name",
  "id_number",
  "passport_number",
  "email",
  "phone",
  "address",
  "date_of_birth",
  "gender",
  "employment_status",
  "employer",
  "job_title",
  "tier_id",
  "start_on",
] as const

/** Looks into a staff list: which sheet and columns it has. Throws `Unreadable`. */
export async function readHead(file: File): Promise<ListHead> {
  let head: ListHead | undefined
  await inThread({ kind: "read", ...file }, async (answer) => {
    if (answer.kind === "read") head = answer.list
  })
  if (!head) throw unreadable("The file could not be read. Save it again and choose the new file.")
  return head
}

/** Checks every row; `take` gets them in batches, one after the other. Answers how many rows. Throws `Unreadable`. */
export async function checkList(task: Omit<CheckTask, "kind">, take: (batch: Batch) => Promise<void>): Promise<number> {
  let rows = 0
  await inThread({ kind: "check", ...task }, async (answer) => {
    if (answer.kind === "batch") await take(answer)
    if (answer.kind === "checked") rows = answer.rows
  })
  return rows
}

/**
 * Runs a task in a thread of its own, with limits on its memory and on the time it may work: waiting for the database
 * to take a batch does not count.
 */
async function inThread(
  task: Task,
  hear: (answer: Exclude<Answer, { kind: "unreadable" }>) => Promise<void>,
): Promise<void> {
  const worker = new Worker(join(import.meta.dirname, "reading-worker.ts"), {
    workerData: task,
    // A small young generation too: V8 would rather grow than collect what a row leaves behind.
    resourceLimits: {
      maxOldGenerationSizeMb: task.extension === "csv" ? importLimits.memory.csv : importLimits.memory.workbook,
      maxYoungGenerationSizeMb: 8,
    },
  })
  try {
    await new Promise<void>((resolve, reject) => {
      let remaining: number = importLimits.time
      let since = performance.now()
      const tooLong = () => reject(unreadable("The file takes too long to read. Split the list or save it as CSV."))
      let timer = setTimeout(tooLong, remaining)
      let hearing: Promise<void> = Promise.resolve()
      worker.on("message", (answer: Answer) => {
        if (answer.kind === "unreadable") return reject(unreadable(answer.sentence))
        clearTimeout(timer)
        remaining -= performance.now() - since
        hearing = hear(answer).then(() => {
          since = performance.now()
          timer = setTimeout(tooLong, remaining)
          if (answer.kind === "batch") worker.postMessage("taken")
        })
        hearing.catch(reject)
      })
      worker.on("error", (error: Error & { code?: string }) => {
        reject(
          error.code === "ERR_WORKER_OUT_OF_MEMORY"
            ? unreadable("The file needs too much memory to read. Split the list or save it as CSV.")
            : error,
        )
      })
      worker.on("exit", () => {
        clearTimeout(timer)
        hearing.then(() => {
          clearTimeout(timer)
          resolve()
        }, reject)
      })
    })
  } finally {
    await worker.terminate()
  }
}
