import { type Corrections, staffListStatuses } from "@milkwood/domain/staff-lists/staff-list"
import type { ColumnMapping } from "@milkwood/domain/staff-lists/staff-list-columns"
import { boolean, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core"
import { day, groupId, id, instant, version } from "../platform/database/columns.ts"

const countColumn = (name: string) => integer(name).notNull().default(0)

export const staffLists = pgTable("staff_lists", {
  id: id(),
  groupId: groupId(),
  policyId: uuid("policy_id").notNull(),
  fileId: uuid("file_id"),
  rowsFileId: uuid("rows_file_id"),
  divisionId: uuid("division_id"),
  fileName: text("file_name").notNull(),
  extension: text("extension", { enum: ["csv", "xlsx", "xls"] }).notNull(),
  status: text("status", { enum: staffListStatuses }).notNull(),
  headers: text("headers").array().notNull(),
  headerLine: integer("header_line").notNull(),
  sheet: text("sheet"),
  notes: text("notes").array().notNull().default([]),
  sample: jsonb("sample").$type<string[][]>().notNull(),
  mapping: jsonb("mapping").$type<ColumnMapping>().notNull(),
  corrections: jsonb("corrections").$type<Corrections>().notNull().default({}),
  defaultTierId: uuid("default_tier_id"),
  defaultStartOn: day("default_start_on"),
  checkedAt: instant("checked_at"),
  rowCount: integer("row_count").notNull(),
  readyCount: countColumn("ready_count"),
  warningCount: countColumn("warning_count"),
  errorCount: countColumn("error_count"),
  joinerCount: countColumn("joiner_count"),
  changeCount: countColumn("change_count"),
  unchangedCount: countColumn("unchanged_count"),
  leaverCount: countColumn("leaver_count"),
  applyChanges: boolean("apply_changes").notNull().default(true),
  changesOn: day("changes_on"),
  leaversOn: day("leavers_on"),
  addedCount: countColumn("added_count"),
  changedCount: countColumn("changed_count"),
  endedCount: countColumn("ended_count"),
  jobId: uuid("job_id"),
  failure: text("failure"),
  createdBy: uuid("created_by").notNull(),
  createdAt: instant("created_at").notNull(),
  committedBy: uuid("committed_by"),
  committedAt: instant("committed_at"),
  undoneBy: uuid("undone_by"),
  undoneAt: instant("undone_at"),
  version: version(),
  /** The day on which the file and rows were deleted at the end of their retention. */
  forgottenOn: day("forgotten_on"),
})
