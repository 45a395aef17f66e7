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

/** What the reader finds in a list before its columns are mapped. */
export interface ListHead extends Omit<FoundList, "rows"> {
  rowCount: number
  /** what stood below the list and is nobody: totals, remarks */
  left: string[]
  sample: string[][]
}

interface File {
  path: string
  /** of the uploaded file; `rows` for what was read of it before */
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
  /** Which part a row goes to, from 1, by what it calls its policy (`nameKey`); the others are part 0. */
  parts: Record<string, number>
}

export type Task = ({ kind: "read" } & File) | CheckTask | DivideTask

/** Checked rows on their way to COPY, and how far they reach. */
export interface Batch {
  kind: "batch"
  copy: Uint8Array<ArrayBuffer>
  rows: number
  total: number
}

/** What the reader hands over. */
export type Part =
  | { kind: "head"; list: ListHead }
  | { kind: "rows"; text: Uint8Array }
  | ({ kind: "part"; part: number; text: Uint8Array } & PartHead)
  | Batch

/** How many rows a part of a list has, and the first of them. */
export interface PartHead {
  rowCount: number
  sample: string[][]
}

/** The values of `staff_list_rows` that a batch fills: what COPY names, and what each of its lines gives. */
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

/** Their columns. */
export const copyColumns = copiedValues.map(columnOf)

const reader = join(import.meta.dirname, "staff-list-reader.ts")

/**
 * Reads a staff list: which sheet and columns it has, and a file of its rows, from which it is checked. That file is
 * the caller's, to save or to discard. Throws `Unreadable`.
 */
export async function readList(files: FileStore, file: File): Promise<{ head: ListHead; rows: ReceivedFile }> {
  const text = new PassThrough()
  const received = files.receive(text, staffListLimits.inflatedBytes)
  // A failure is reported by whichever waits for it; this keeps the other from being an unhandled one.
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
 * Divides the rows of a list: the answer's first part is what stays, the others are in the order of `parts`. Their files
 * are the caller's, to save or to discard. Throws `Unreadable`.
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

/** Checks every row; `writeBatch` gets them in batches, one after the other. Answers how many rows. Throws `Unreadable`. */
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
