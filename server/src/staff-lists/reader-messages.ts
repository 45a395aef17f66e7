import { columnOf } from "@milkwood/domain/kernel/declared-field"
import type { Currency } from "@milkwood/domain/kernel/money"
import { memberFieldNames } from "@milkwood/domain/members/member-fields"
import type { Corrections } from "@milkwood/domain/staff-lists/staff-list"
import type { ColumnMapping } from "@milkwood/domain/staff-lists/staff-list-columns"
import type { ListContext } from "@milkwood/domain/staff-lists/staff-list-rows"
import type { FoundList } from "./read-staff-list.ts"

/* Messages between the server and the reader process. Must not import the database driver, because every list starts a
   process. */

export interface ListHead extends Omit<FoundList, "rows"> {
  rowCount: number
  /** Text below the list that is not a person: totals, remarks. */
  left: string[]
  sample: string[][]
}

export interface ListFile {
  path: string
  /** Extension of the uploaded file; `rows` when the rows were read before. */
  extension: string
}

export interface CheckTask extends ListFile {
  kind: "check"
  importId: string
  groupId: string
  mapping: ColumnMapping
  corrections: Corrections
  context: ListContext
  currency: Currency
}

export interface SplitTask extends ListFile {
  kind: "divide"
  corrections: Corrections
  /** The group policy column, from 0. */
  column: number
  /** Part number per policy name (`nameKey`), from 1. Other rows belong to part 0. */
  parts: Record<string, number>
}

export type ReaderTask = ({ kind: "read" } & ListFile) | CheckTask | SplitTask

export interface RowBatch {
  kind: "batch"
  copy: Uint8Array<ArrayBuffer>
  rows: number
  total: number
}

export type ReaderMessage =
  | { kind: "head"; list: ListHead }
  | { kind: "rows"; text: Uint8Array }
  | ({ kind: "part"; part: number; text: Uint8Array } & SplitPart)
  | RowBatch

export interface SplitPart {
  rowCount: number
  sample: string[][]
}

/** Columns of `staff_list_rows` that a batch fills, in COPY order. */
export const copiedRowValues = [
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

export const copyColumns = copiedRowValues.map(columnOf)
