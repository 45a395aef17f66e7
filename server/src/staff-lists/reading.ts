import { join } from "node:path"
import { PassThrough, Readable } from "node:stream"
import { columnOf } from "@milkwood/domain/kernel/declared-field"
import type { Currency } from "@milkwood/domain/kernel/money"
import { memberFieldNames } from "@milkwood/domain/members/member-fields"
import { type Corrections, staffListLimits } from "@milkwood/domain/staff-lists/staff-list"
import type { ColumnMapping } from "@milkwood/domain/staff-lists/staff-list-columns"
import type { ListContext } from "@milkwood/domain/staff-lists/staff-list-rows"
import { type FileStore, FileTooLarge, type ReceivedFile } from "../platform/files/files.ts"
import { type ReadingLimits, readApart } from "../platform/files/read-apart.ts"
import { unreadable } from "../platform/files/unreadable.ts"
import type { FoundList } from "./read-staff-list.ts"

export interface ListHead extends Omit<FoundList, "rows"> {
  rowCount: number
  /** Text below the list that is not a person: totals, remarks. */
  left: string[]
  sample: string[][]
}

interface File {
  path: string
  /** Extension of the uploaded file; `rows` when the rows were read before. */
  extension: string
}

export interface CheckTask extends File {
  kind: "check"
  importId: string
  groupId: string
  mapping: ColumnMapping
  corrections: Corrections
  context: ListContext
  currency: Currency
}

export interface DivideTask extends File {
  kind: "divide"
  corrections: Corrections
  /** The group policy column, from 0. */
  column: number
  /** Part number per policy name (`nameKey`), from 1. Other rows belong to part 0. */
  parts: Record<string, number>
}

export type Task = ({ kind: "read" } & File) | CheckTask | DivideTask

export interface Batch {
  kind: "batch"
  copy: Uint8Array<ArrayBuffer>
  rows: number
  total: number
}

export type Part =
  | { kind: "head"; list: ListHead }
  | { kind: "rows"; text: Uint8Array }
  | ({ kind: "part"; part: number; text: Uint8Array } & PartHead)
  | Batch

export interface PartHead {
  rowCount: number
  sample: string[][]
}

/** Columns of `staff_list_rows` that a batch fills, in COPY order. */
export const copiedValues = [
  "staffListId",
  "groupId",
  "row",
  "line",
  "status",
  "outcome",
  "problems",
  "cells",
  "memberId",
  ...memberFieldNames,
  "tierId",
  "startOn",
  "salaryCents",
] as const

export const copyColumns = copiedValues.map(columnOf)

const reader = join(import.meta.dirname, "staff-list-reader.ts")

/** The caller saves or discards `rows`. Throws `Unreadable`. */
export async function readList(files: FileStore, file: File): Promise<{ head: ListHead; rows: ReceivedFile }> {
  const text = new PassThrough()
  const received = files.receive(text, staffListLimits.inflatedBytes)
  // Avoids an unhandled rejection: `received` is awaited elsewhere.
  received.catch(() => {})
  let head: ListHead | undefined
  try {
    await readApart<Task, Part>(reader, { kind: "read", ...file }, limitsOf(file), async (part) => {
      if (part.kind === "head") head = part.list
      if (part.kind !== "rows") return
      await Promise.race([received, new Promise((resolve) => text.write(part.text, resolve))])
    })
    text.end()
    return { head: head!, rows: await received }
  } catch (error) {
    text.destroy(error as Error)
    await received.catch(() => {})
    throw error instanceof FileTooLarge ? unreadable("The list holds more text than can be read. Split it.") : error
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
    await readApart<Task, Part>(reader, { kind: "divide", ...task }, limitsOf(task), async (part) => {
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
  await readApart<Task, Part>(reader, { kind: "check", ...task }, limitsOf(task), async (part) => {
    if (part.kind !== "batch") return
    await writeBatch(part)
    rows = part.total
  })
  return rows
}

function limitsOf({ extension }: File): ReadingLimits {
  const { memory, time } = staffListLimits
  return { memory: extension === "xls" ? memory.xls : memory.others, time }
}
