import type { Day } from "../kernel/calendar.ts"
import { lifecycle } from "../kernel/lifecycle.ts"
import type { ColumnMapping } from "./staff-list-columns.ts"

/** What a staff list may be at most, beside the size of its file, which a setting says; a file beyond a limit is refused with a sentence that names it. */
export const staffListLimits = {
  /** of everything inside an .xlsx, measured while inflating it: what its own headers say is not believed */
  inflatedBytes: 128 * 1024 * 1024,
  zipEntries: 1_000,
  sheets: 250,
  rows: 150_000,
  /** titles, notes and totals around the rows */
  rowsAround: 100,
  cells: 5_000_000,
  columns: 200,
  /** of one cell; longer ones are cut before anything looks at them */
  cellCharacters: 1_000,
  /** of reading one file, in milliseconds */
  time: 60_000,
  /** of the process that reads it, in megabytes; an .xls is held whole, the others row by row */
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
 * The life of one staff list: uploaded and waiting for its columns to be mapped, checked row by row by a job, ready to
 * be committed, written by a second job. Checking may be asked for again with other columns until it is committed.
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
      failed: "given up",
      discarded: "discarded",
    },
    done: {
      check: "checked",
      divide: "divided",
      finishCheck: "checked",
      import: "imported",
      finishImport: "imported",
      fail: "given up",
      undo: "undone",
      discard: "discarded",
    },
  },
})

/** The words on the badge of an import. */
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

/** What counts in place of what stands in the file: by the line of the file and the column, from 0, its text. */
export type Corrections = Record<string, Record<string, string>>

/** So many rows of a list are corrected one by one; of more, the file is mended. */
export const mostCorrectedRows = 1_000

/** So many policies a list is divided between at once, beside its own. */
export const mostDividedPolicies = 100

/** Everything a rule about a staff list reads. */
export interface StaffList {
  id: string
  groupId: string
  policyId: string
  policyNumber: string
  /** null once the list was discarded */
  fileId: string | null
  /** what was read of it; null once it was imported or discarded */
  rowsFileId: string | null
  /** what lists that were divided out of one file have in common; null for one that was not divided */
  divisionId: string | null
  fileName: string
  extension: "csv" | "xlsx" | "xls"
  status: StaffListStatus
  headers: string[]
  headerLine: number
  sheet: string | null
  /** What was passed over, or moved to other lists, as sentences. */
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

/** How a row's status is called on screen. */
export const rowStatusNames: Record<RowStatus, string> = { ready: "Ready", warning: "Warning", error: "Error" }

/**
 * What a row means for the policy: somebody new, a member whose details differ, a member who stays as they are; and a
 * member of the policy whom the list does not name. Refused rows have no outcome.
 */
export const rowOutcomes = ["joiner", "change", "unchanged", "leaver"] as const
export type RowOutcome = (typeof rowOutcomes)[number]

/** What becomes of a row, as its preview says it. */
export const rowOutcomeNames: Record<RowOutcome, string> = {
  joiner: "Joins",
  change: "Changes",
  unchanged: "Stays",
  leaver: "Not in the list",
}

/**
 * What became of a row once its list was imported (`completed`) or its import taken back (`undone`). Null before, and for
 * the members that the list does not name.
 */
export function rowResult(
  list: StaffListStatus,
  row: { status: RowStatus; outcome: RowOutcome | null },
): "Imported" | "Left out" | "Undone" | "Unchanged" | null {
  if ((list !== "completed" && list !== "undone") || row.outcome === "leaver") return null
  if (row.outcome === null) return "Left out"
  if (row.outcome === "unchanged") return "Unchanged"
  return list === "completed" ? "Imported" : "Undone"
}

/** What may be done with an import by somebody who may import into its group. */
export const staffListActions = ["check", "import", "undo", "discard", "downloadRefused"] as const
export type StaffListAction = (typeof staffListActions)[number]

/**
 * What the reader may do with an import now. A group administrator undoes only their own imports (data.md, "Who may
 * call what").
 */
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
