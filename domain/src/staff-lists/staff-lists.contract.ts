import { z } from "zod"
import { day, instant } from "../kernel/calendar-shape.ts"
import { listInput, listOutput } from "../kernel/list-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { read, write } from "../kernel/procedure.ts"
import { jobView } from "../platform/platform.contract.ts"
import { policyStatuses } from "../policies/policy.ts"
import { rowOutcomes, rowStatuses, staffListActions, staffListLimits, staffListStatuses } from "./staff-list.ts"
import { type ListField, listFields } from "./staff-list-columns.ts"
import { problemCodes } from "./staff-list-problems.ts"
import { staffListRowsList } from "./staff-list-rows.list.ts"
import { staffListsList } from "./staff-lists.list.ts"

export const staffListErrors = {
  WRONG_STATUS: { status: 409, message: "The import is not at this step." },
  POLICY_ENDED: { status: 409, message: "The policy has come to its end: nobody can be added to it." },
  NOTHING_TO_IMPORT: { status: 409, message: "The list changes nothing: there is no row to import." },
  HAS_HISTORY: {
    status: 409,
    message: "The import cannot be undone.",
    data: z.object({ members: z.array(z.object({ memberId: z.uuid(), number: z.string(), name: z.string() })) }),
  },
} as const

const column = z.int().min(0).max(199)

/** Which column of the file (from 0) stands for which field; see `ColumnMapping`. */
export const columnMapping = z.object({
  ...(Object.fromEntries(listFields.map((field) => [field, column.optional()])) as Record<
    ListField,
    z.ZodOptional<typeof column>
  >),
  /** No column names the group: every row belongs to the policy chosen at the upload. */
  groupPolicyChosen: z.boolean().optional(),
})

/** An import as the history shows it. Counts are of rows of the file; leavers are members that it does not name. */
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
  /** The line of the file that the column names stand in, counted from 1. */
  headerLine: z.int(),
  sheet: z.string().nullable(),
  /** What was passed over: titles, other sheets, totals below the list; for those who may import alone. */
  notes: z.array(z.string()),
  /** The first rows of the list, as they stand in the file. */
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
  /** Why it failed, as a sentence. */
  failure: z.string().nullable(),
  /** Members of the policy were changed since the list was checked: what the preview says may no longer hold. */
  outdated: z.boolean(),
  /** Other open policies that refused rows name, for those who may import. */
  elsewhere: z.array(z.object({ policyId: z.uuid(), policyNumber: z.string(), groupName: z.string(), rows: z.int() })),
  /** The other lists that came of the same file, when it was divided. */
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
  /** The work that is going on, for whoever asked for it. */
  job: jobView.nullable(),
})
export type StaffListDetail = z.infer<typeof staffListDetail>

/** What differs between a member and their row; `after` is what the list says. */
const rowChange = z.object({ field: z.string(), before: z.string(), after: z.string() })

export const staffListRow = z.object({
  /** from 1 for the first row of data; null for leavers */
  row: z.int().nullable(),
  /** The line of the file or sheet; null for leavers. */
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
  /** What the list says that they earn a month; null as well for who may not know it. */
  salaryCents: cents.nullable(),
  problems: z.array(z.object({ code: z.enum(problemCodes), field: z.enum(listFields), sentence: z.string() })),
  changes: z.array(rowChange),
  memberId: z.uuid().nullable(),
  /** Of a refused row what stands in the file, with its corrections, for those who may mend it; null of any other. */
  cells: z.array(z.string()).nullable(),
})
export type StaffListRow = z.infer<typeof staffListRow>

const one = z.object({ importId: z.uuid() })
const edited = one.extend({ version: z.int() })
const tags = ["Member imports"]

/**
 * Bulk import (specification 1, /members/import). The file comes by `POST /api/members/imports` (multipart: the field
 * policyId, then the file), which answers `{ importId }`.
 */
export const staffListsContract = {
  /** The history of imports that the actor may see, newest first, and what they amounted to. */
  list: read("members.read")
    .route({ method: "GET", path: "/members/imports", summary: "List imports", tags })
    .input(listInput(staffListsList))
    .output(
      listOutput(staffListsList, listedStaffList, {
        /** Null when counting stopped before the end. */
        stats: z.object({ imports: z.int(), added: z.int(), changed: z.int(), refused: z.int() }).nullable(),
      }),
    ),

  /** One import; NOT_FOUND as well when it belongs to a group that the actor does not see. */
  detail: read("members.read", { shows: "staff_list" })
    .route({ method: "GET", path: "/members/imports/{importId}", summary: "One import", tags })
    .input(one)
    .output(staffListDetail),

  /** The preview: the rows of the list in its order, then the leavers. */
  rows: read("members.read")
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
   * Maps the columns and has every row checked by a job; the mapping is remembered for the group. INVALID names the
   * required columns that are missing. May be asked for again with another mapping.
   */
  check: write("members.import")
    .route({ method: "POST", path: "/members/imports/{importId}/check", summary: "Check the rows of an import", tags })
    .errors({ WRONG_STATUS: staffListErrors.WRONG_STATUS, POLICY_ENDED: staffListErrors.POLICY_ENDED })
    .input(edited.extend({ mapping: columnMapping }))
    .output(staffListDetail),

  /**
   * Mends cells of a row, by its line in the file and their columns from 0, before the list is imported; the file stays
   * as it is. Every row is checked again by a job. INVALID for a column that the file does not have.
   */
  correct: write("members.import")
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
   * Moves the refused rows that name another open policy, by its number, its description or its group, to lists of their
   * own, one for each policy, by a job that checks them all. INVALID where no row names one that the actor may import into.
   */
  divide: write("members.import")
    .route({ method: "POST", path: "/members/imports/{importId}/divide", summary: "Divide an import by policy", tags })
    .errors({ WRONG_STATUS: staffListErrors.WRONG_STATUS })
    .input(edited)
    .output(staffListDetail),

  /**
   * Has the checked rows written by a job, in one transaction: joiners are added; members whose details differ are
   * changed when `applyChanges` is set, another tier or salary from `changesOn` (default today); those that the list does not
   * name end on `leaversOn` when it is given, as the last day; INVALID when that lies before the start of cover of one
   * of them. Refused rows are left out. A list that is out of date is checked again instead: the answer says `checking`.
   */
  import: write("members.import", { idempotent: true })
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
   * Takes an import back: its members are removed, changed ones get their details back, ended ones are reinstated.
   * HAS_HISTORY names those it added who have claims or invoices by now; POLICY_ENDED once the policy is over.
   */
  undo: write("members.import")
    .route({ method: "POST", path: "/members/imports/{importId}/undo", summary: "Undo an import", tags })
    .errors({
      WRONG_STATUS: staffListErrors.WRONG_STATUS,
      HAS_HISTORY: staffListErrors.HAS_HISTORY,
      POLICY_ENDED: { status: 409, message: "The policy has come to its end: its members stay as they are." },
    })
    .input(edited)
    .output(staffListDetail),

  /** Puts a list aside that was not imported; its file and its rows are thrown away. */
  discard: write("members.import")
    .route({ method: "POST", path: "/members/imports/{importId}/discard", summary: "Discard an import", tags })
    .errors({ WRONG_STATUS: staffListErrors.WRONG_STATUS })
    .input(edited)
    .output(staffListDetail),
}
