import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { readProcedure, writeProcedure } from "../kernel/procedure.ts"
import { jobView } from "../platform/platform.contract.ts"
import { policyStatuses } from "../policies/policy.ts"
import { expectedListStates } from "./expected-staff-list.ts"
import { outstandingListsList } from "./outstanding-lists.list.ts"
import { rowOutcomes, rowStatuses, staffListActions, staffListLimits, staffListStatuses } from "./staff-list.ts"
import { type ListField, listFields } from "./staff-list-columns.ts"
import { problemCodes } from "./staff-list-problems.ts"
import { staffListRowsList } from "./staff-list-rows.list.ts"
import { staffListsList } from "./staff-lists.list.ts"

export const staffListErrors = {
  WRONG_STATUS: { status: 409, message: "The import is no longer at this step. Reload the page." },
  POLICY_ENDED: { status: 409, message: "The policy has ended. You cannot add members to it." },
  NOTHING_TO_IMPORT: { status: 409, message: "The list has no changes to import." },
  HAS_HISTORY: {
    status: 409,
    message: "The import cannot be undone.",
    data: z.object({ members: z.array(z.object({ memberId: z.uuid(), number: z.string(), name: z.string() })) }),
  },
} as const

const column = z.int().min(0).max(199)

/** Column index (from 0) per field; see `ColumnMapping`. */
export const columnMapping = z.object({
  ...(Object.fromEntries(listFields.map((field) => [field, column.optional()])) as Record<
    ListField,
    z.ZodOptional<typeof column>
  >),
  /** True if no column names the group: every row belongs to the policy chosen at upload. */
  groupPolicyChosen: z.boolean().optional(),
})

/** Counts are file rows; leavers are members missing from the file. */
export const listedStaffList = z.object({
  id: z.uuid(),
  fileName: z.string(),
  status: z.enum(staffListStatuses),
  groupId: z.uuid(),
  groupName: z.string(),
  policyId: z.uuid(),
  policyNumber: z.string(),
  createdAt: instant,
  createdByName: z.string(),
  rowCount: z.int(),
  errorCount: z.int(),
  addedCount: z.int(),
  changedCount: z.int(),
  endedCount: z.int(),
  allowedActions: z.array(z.enum(staffListActions)),
  version: z.int(),
})
export type ListedStaffList = z.infer<typeof listedStaffList>

export const staffListDetail = listedStaffList.extend({
  headers: z.array(z.string()),
  /** Line of the column names, from 1. */
  headerLine: z.int(),
  sheet: z.string().nullable(),
  /** Skipped titles, sheets and totals; only for actors who may import. */
  notes: z.array(z.string()),
  /** The first rows of the file. */
  sample: z.array(z.array(z.string())),
  mapping: columnMapping,
  counts: z.object({
    ready: z.int(),
    warning: z.int(),
    error: z.int(),
    joiner: z.int(),
    change: z.int(),
    unchanged: z.int(),
    leaver: z.int(),
  }),
  applyChanges: z.boolean(),
  changesOn: day.nullable(),
  leaversOn: day.nullable(),
  /** Why the list failed, as a sentence. */
  failure: z.string().nullable(),
  /** True if members of the policy changed after the check, so that the preview may be wrong. */
  outdated: z.boolean(),
  /** Other open policies named by refused rows, for actors who may import. */
  elsewhere: z.array(z.object({ policyId: z.uuid(), policyNumber: z.string(), groupName: z.string(), rows: z.int() })),
  /** Other lists divided from the same file. */
  siblings: z.array(
    listedStaffList.pick({
      id: true,
      policyNumber: true,
      groupName: true,
      status: true,
      rowCount: true,
      errorCount: true,
    }),
  ),
  policyStatus: z.enum(policyStatuses),
  committedAt: instant.nullable(),
  undoneAt: instant.nullable(),
  /** The job, for the user who started it; otherwise null. */
  job: jobView.nullable(),
})
export type StaffListDetail = z.infer<typeof staffListDetail>

/** `after` is the value in the list. */
const rowChange = z.object({ field: z.string(), before: z.string(), after: z.string() })

export const staffListRow = z.object({
  /** From 1; null for leavers. */
  row: z.int().nullable(),
  /** Line of the file or sheet; null for leavers. */
  line: z.int().nullable(),
  status: z.enum(rowStatuses),
  outcome: z.enum(rowOutcomes).nullable(),
  firstName: z.string(),
  lastName: z.string(),
  /** Masked for policy holders. */
  idNumber: z.string().nullable(),
  email: z.string().nullable(),
  tierName: z.string().nullable(),
  startOn: day.nullable(),
  /** Monthly salary; null also for actors without access. */
  salaryCents: cents.nullable(),
  problems: z.array(z.object({ code: z.enum(problemCodes), field: z.enum(listFields), sentence: z.string() })),
  changes: z.array(rowChange),
  memberId: z.uuid().nullable(),
  /** A refused row with its corrections, for actors who may correct it; otherwise null. */
  cells: z.array(z.string()).nullable(),
})
export type StaffListRow = z.infer<typeof staffListRow>

export const outstandingListRow = z.object({
  /** The policy's id. */
  id: z.uuid(),
  policyNumber: z.string(),
  groupId: z.uuid(),
  groupName: z.string(),
  /** First day of the earliest month without a list. */
  month: day,
  dueOn: day,
  state: z.enum(expectedListStates),
  daysLate: z.int(),
  /** The last imported list. */
  lastListId: z.uuid().nullable(),
  lastListOn: day.nullable(),
})
export type OutstandingListRow = z.infer<typeof outstandingListRow>

const importTarget = z.object({ importId: z.uuid() })
const edited = importTarget.extend({ version: z.int() })
const tags = ["Member imports"]

/**
 * Bulk import (specification 1, /members/import). Upload: `POST /api/members/imports` (multipart: policyId, then the
 * file) returns `{ importId }`.
 */
export const staffListsContract = {
  /** Imports visible to the actor, newest first, with totals. */
  list: readProcedure("members.read")
    .route({ method: "GET", path: "/members/imports", summary: "List imports", tags })
    .input(listInput(staffListsList))
    .output(
      listOutput(staffListsList, listedStaffList, {
        /** Null if there are too many to count. */
        stats: z.object({ imports: z.int(), added: z.int(), changed: z.int(), refused: z.int() }).nullable(),
      }),
    ),

  /** Active policies whose expected staff list is missing, one row per policy, by due day. */
  outstanding: readProcedure("members.import")
    .route({ method: "GET", path: "/members/imports/outstanding", summary: "List outstanding staff lists", tags })
    .input(listInput(outstandingListsList))
    .output(listOutput(outstandingListsList, outstandingListRow)),

  /** NOT_FOUND also for an import of a group that the actor cannot see. */
  detail: readProcedure("members.read", { shows: "staff_list" })
    .route({ method: "GET", path: "/members/imports/{importId}", summary: "Read an import", tags })
    .input(importTarget)
    .output(staffListDetail),

  /** Rows in file order, then leavers. */
  rows: readProcedure("members.read")
    .route({ method: "GET", path: "/members/imports/{importId}/rows", summary: "Preview the rows of an import", tags })
    .input(
      listInput(staffListRowsList, {
        importId: z.uuid(),
        status: z.enum(rowStatuses).optional(),
        outcome: z.enum(rowOutcomes).optional(),
        code: z.enum(problemCodes).optional(),
      }),
    )
    .output(listOutput(staffListRowsList, staffListRow)),

  /**
   * Maps the columns and checks all rows in a job; the group's mapping is remembered. INVALID names missing required
   * columns. Repeatable.
   */
  check: writeProcedure("members.import")
    .route({ method: "POST", path: "/members/imports/{importId}/check", summary: "Check the rows of an import", tags })
    .errors({ WRONG_STATUS: staffListErrors.WRONG_STATUS, POLICY_ENDED: staffListErrors.POLICY_ENDED })
    .input(edited.extend({ mapping: columnMapping }))
    .output(staffListDetail),

  /**
   * Corrects cells before import, by line and column (from 0); the file is unchanged. A job rechecks all rows. INVALID
   * for an unknown column.
   */
  correct: writeProcedure("members.import")
    .route({
      method: "POST",
      path: "/members/imports/{importId}/correct",
      summary: "Correct a row of an import",
      tags,
    })
    .errors({ WRONG_STATUS: staffListErrors.WRONG_STATUS, POLICY_ENDED: staffListErrors.POLICY_ENDED })
    .input(
      edited.extend({
        line: z.int().min(1).max(10_000_000),
        cells: z
          .array(z.object({ column, text: z.string().max(staffListLimits.cellCharacters) }))
          .min(1)
          .max(staffListLimits.columns),
      }),
    )
    .output(staffListDetail),

  /**
   * Moves refused rows that name another open policy to separate lists, one per policy, in a job that rechecks them.
   * INVALID if the actor may import into none of these policies.
   */
  divide: writeProcedure("members.import")
    .route({ method: "POST", path: "/members/imports/{importId}/divide", summary: "Divide an import by policy", tags })
    .errors({ WRONG_STATUS: staffListErrors.WRONG_STATUS })
    .input(edited)
    .output(staffListDetail),

  /**
   * A job writes the checked rows in one transaction and skips refused ones. Joiners are added. `applyChanges` updates
   * members; tier and salary change from `changesOn` (default today). `leaversOn` is the last day of members missing
   * from the list; INVALID if before their cover starts. An outdated list is checked again instead: `checking`.
   */
  import: writeProcedure("members.import", { idempotent: true })
    .route({ method: "POST", path: "/members/imports/{importId}/commit", summary: "Import the checked rows", tags })
    .errors({
      WRONG_STATUS: staffListErrors.WRONG_STATUS,
      POLICY_ENDED: staffListErrors.POLICY_ENDED,
      NOTHING_TO_IMPORT: staffListErrors.NOTHING_TO_IMPORT,
    })
    .input(
      edited.extend({
        idempotencyKey: z.uuid(),
        applyChanges: z.boolean().default(true),
        changesOn: day.optional(),
        leaversOn: day.nullable().default(null),
      }),
    )
    .output(staffListDetail),

  /**
   * Removes added members, restores changed ones and reinstates leavers. HAS_HISTORY names added members with claims or
   * invoices; POLICY_ENDED if the policy has ended.
   */
  undo: writeProcedure("members.import")
    .route({ method: "POST", path: "/members/imports/{importId}/undo", summary: "Undo an import", tags })
    .errors({
      WRONG_STATUS: staffListErrors.WRONG_STATUS,
      HAS_HISTORY: staffListErrors.HAS_HISTORY,
      POLICY_ENDED: { status: 409, message: "The policy has ended: its members cannot be changed." },
    })
    .input(edited)
    .output(staffListDetail),

  /** Discards a list that was not imported, and deletes its file and rows. */
  discard: writeProcedure("members.import")
    .route({ method: "POST", path: "/members/imports/{importId}/discard", summary: "Discard an import", tags })
    .errors({ WRONG_STATUS: staffListErrors.WRONG_STATUS })
    .input(edited)
    .output(staffListDetail),
}
