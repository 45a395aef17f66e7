import { importStatuses, rowOutcomes, rowStatuses } from "@milkwood/domain/staff-lists/staff-list"
import type { ImportMapping, RememberedMapping } from "@milkwood/domain/staff-lists/staff-list-columns"
import type { RowProblem } from "@milkwood/domain/staff-lists/staff-list-problems"
import { boolean, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core"
import { day, groupId, id, instant, version } from "../platform/database/columns.ts"

const count = (name: string) => integer(name).notNull().default(0)

export const memberImports = pgTable("member_imports", {
  id: id(),
  groupId: groupId(),
  policyId: uuid("policy_id").notNull(),
  fileId: uuid("file_id"),
  fileName: text("file_name").notNull(),
  extension: text("extension", { enum: ["csv", "xlsx", "xls"] }).notNull(),
  status: text("status", { enum: importStatuses }).notNull(),
  headers: text("headers").array().notNull(),
  headerLine: integer("header_line").notNull(),
  sheet: text("sheet"),
  notes: text("notes").array().notNull().default([]),
  sample: jsonb("sample").$type<string[][]>().notNull(),
  mapping: jsonb("mapping").$type<ImportMapping>().notNull(),
  defaultTierId: uuid("default_tier_id"),
  defaultStartOn: day("default_start_on"),
  rowCount: integer("row_count").notNull(),
  readyCount: count("ready_count"),
  warningCount: count("warning_count"),
  errorCount: count("error_count"),
  joinerCount: count("joiner_count"),
  changeCount: count("change_count"),
  unchangedCount: count("unchanged_count"),
  leaverCount: count("leaver_count"),
  applyChanges: boolean("apply_changes").notNull().default(true),
  changesOn: day("changes_on"),
  leaversOn: day("leavers_on"),
  addedCount: count("added_count"),
  changedCount: count("changed_count"),
  endedCount: count("ended_count"),
  jobId: uuid("job_id"),
  failure: text("failure"),
  createdBy: uuid("created_by").notNull(),
  createdAt: instant("created_at").notNull(),
  committedBy: uuid("committed_by"),
  committedAt: instant("committed_at"),
  undoneBy: uuid("undone_by"),
  undoneAt: instant("undone_at"),
  version: version(),
})

export const memberImportRows = pgTable("member_import_rows", {
  importId: uuid("import_id").notNull(),
  groupId: groupId(),
  row: integer("row").notNull(),
  line: integer("line"),
  status: text("status", { enum: rowStatuses }).notNull(),
  outcome: text("outcome", { enum: rowOutcomes }),
  problems: jsonb("problems").$type<RowProblem[]>(),
  cells: text("cells").array(),
  memberId: uuid("member_id"),
  memberVersion: integer("member_version"),
  before: jsonb("before").$type<Record<string, unknown>>(),
  firstName: text("first_name"),
  lastName: text("last_name"),
  idNumber: text("id_number"),
  passportNumber: text("passport_number"),
  email: text("email"),
  phone: text("phone"),
  address: text("address"),
  dateOfBirth: day("date_of_birth"),
  gender: text("gender"),
  employmentStatus: text("employment_status"),
  employer: text("employer"),
  jobTitle: text("job_title"),
  tierId: uuid("tier_id"),
  startOn: day("start_on"),
})

export const memberImportColumns = pgTable("member_import_columns", {
  groupId: uuid("group_id").primaryKey(),
  mapping: jsonb("mapping").$type<RememberedMapping>().notNull(),
  updatedAt: instant("updated_at").notNull(),
})
