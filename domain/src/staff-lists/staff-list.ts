import type { Day } from "../kernel/calendar.ts"
import { lifecycle } from "../kernel/lifecycle.ts"
import type { ColumnMapping } from "./staff-list-columns.ts"

/** Limits besides the file size, which is a setting. Each refusal names its limit. */
export const staffListLimits = {
  /** All contents of an .xlsx, measured while inflating: its headers are not trusted. */
  inflatedBytes: 128 * 1024 * 1024,
  zipEntries: 1_000,
  sheets: 250,
  rows: 150_000,
  /** Rows of titles, notes and totals around the list. */
  maxSurroundingRows: 100,
  cells: 5_000_000,
  columns: 200,
  /** Longer cells are cut first. */
  cellCharacters: 1_000,
  /** Per file, in milliseconds. */
  time: 60_000,
  /** Megabytes per reader process: an .xls is read whole, other formats row by row. */
  memory: { xls: 512, others: 256 },
} as const

export const staffListStatuses = [
  "uploaded",
  "checking",
  "ready",
  "committing",
  "completed",
  "undone",
  "failed",
  "discarded",
] as const
export type StaffListStatus = (typeof staffListStatuses)[number]

/**
 * A job checks the rows and a second job imports them. The check can be repeated with other columns before the import.
 */
export const staffListLifecycle = lifecycle({
  name: "staff list",
  initial: "uploaded",
  states: staffListStatuses,
  actions: {
    check: { from: ["uploaded", "ready", "failed"], to: "checking" },
    divide: { from: ["ready"], to: "checking" },
    finishCheck: { from: ["checking"], to: "ready" },
    import: { from: ["ready"], to: "committing" },
    finishImport: { from: ["committing"], to: "completed" },
    fail: { from: ["checking", "committing"], to: "failed" },
    undo: { from: ["completed"], to: "undone" },
    discard: { from: ["uploaded", "ready", "failed"], to: "discarded" },
  },
  words: {
    record: "A staff list that",
    statuses: {
      uploaded: "uploaded",
      checking: "being checked",
      ready: "ready to import",
      committing: "being imported",
      completed: "imported",
      undone: "undone",
      failed: "marked as failed",
      discarded: "discarded",
    },
    done: {
      check: "checked",
      divide: "divided",
      finishCheck: "checked",
      import: "imported",
      finishImport: "imported",
      fail: "marked as failed",
      undo: "undone",
      discard: "discarded",
    },
  },
})

export const staffListStatusLabels: Record<StaffListStatus, string> = {
  uploaded: "Columns to map",
  checking: "Checking",
  ready: "Ready to import",
  committing: "Importing",
  completed: "Completed",
  undone: "Undone",
  failed: "Failed",
  discarded: "Discarded",
}

/** Replacement texts by line of the file, then by column from 0. */
export type Corrections = Record<string, Record<string, string>>

/** A user with more corrections must edit the file. */
export const maxCorrectedRows = 1_000

/** Besides the list's own policy. */
export const maxSplitPolicies = 100

export interface StaffList {
  id: string
  groupId: string
  policyId: string
  policyNumber: string
  /** Null after the list was discarded. */
  fileId: string | null
  /** The parsed rows; null after the list was imported or discarded. */
  rowsFileId: string | null
  /** The id that all lists divided from one file share; null if not divided. */
  divisionId: string | null
  fileName: string
  extension: "csv" | "xlsx" | "xls"
  status: StaffListStatus
  headers: string[]
  headerLine: number
  sheet: string | null
  /** Skipped or moved rows, as sentences. */
  notes: string[]
  sample: string[][]
  mapping: ColumnMapping
  corrections: Corrections
  defaultTierId: string | null
  defaultStartOn: Day | null
  checkedAt: string | null
  rowCount: number
  errorCount: number
  joinerCount: number
  changeCount: number
  leaverCount: number
  applyChanges: boolean
  changesOn: Day | null
  leaversOn: Day | null
  addedCount: number
  changedCount: number
  endedCount: number
  jobId: string | null
  failure: string | null
  createdBy: string
  committedBy: string | null
  committedAt: string | null
  undoneBy: string | null
  undoneAt: string | null
  version: number
}

export const rowStatuses = ["ready", "warning", "error"] as const
export type RowStatus = (typeof rowStatuses)[number]

export const rowStatusNames: Record<RowStatus, string> = { ready: "Ready", warning: "Warning", error: "Error" }

/** A leaver is a member of the policy who is missing from the list. Refused rows have no outcome. */
export const rowOutcomes = ["joiner", "change", "unchanged", "leaver"] as const
export type RowOutcome = (typeof rowOutcomes)[number]

export const rowOutcomeNames: Record<RowOutcome, string> = {
  joiner: "Joins",
  change: "Changes",
  unchanged: "Unchanged",
  leaver: "Not in the list",
}

/** The result of a row; null before the import, and for leavers. */
export function rowResult(
  list: StaffListStatus,
  row: { status: RowStatus; outcome: RowOutcome | null },
): "Imported" | "Left out" | "Undone" | "Unchanged" | null {
  if ((list !== "completed" && list !== "undone") || row.outcome === "leaver") return null
  if (row.outcome === null) return "Left out"
  if (row.outcome === "unchanged") return "Unchanged"
  return list === "completed" ? "Imported" : "Undone"
}

export const staffListActions = ["check", "import", "undo", "discard", "downloadRefused"] as const
export type StaffListAction = (typeof staffListActions)[number]

/** A group administrator may undo only their own imports. */
export function allowedStaffListActions(
  found: { status: StaffListStatus; createdBy: string; errorCount: number },
  actor: { userId: string; mayImport: boolean; seesAllGroups: boolean },
): StaffListAction[] {
  if (!actor.mayImport) return []
  const offered: StaffListAction[] = staffListLifecycle
    .actionsFrom(found.status)
    .filter((action) => action === "check" || action === "import" || action === "undo" || action === "discard")
    .filter((action) => action !== "undo" || actor.seesAllGroups || found.createdBy === actor.userId)
  const checked = ["ready", "committing", "completed", "undone"].includes(found.status)
  if (checked && found.errorCount > 0) offered.push("downloadRefused")
  return offered
}
