import type { CustomDefinition } from "@milkwood/domain/reports/custom-report"
import type { CustomShare } from "@milkwood/domain/reports/custom-reports"
import type { ReportFormat } from "@milkwood/domain/reports/report"
import type { ReportRunState } from "@milkwood/domain/reports/report-runs.list"
import type { ScheduleType } from "@milkwood/domain/reports/report-schedule"
import { bigint, boolean, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core"
import { day, id, instant, version } from "../platform/database/columns.ts"

export const reportRuns = pgTable("report_runs", {
  id: id(),
  report: text("report").notNull(),
  name: text("name").notNull(),
  format: text("format").$type<ReportFormat>().notNull(),
  asked: jsonb("asked").$type<Record<string, unknown>>().notNull(),
  words: text("words").notNull(),
  ownerId: uuid("owner_id").notNull(),
  state: text("state").$type<ReportRunState>().notNull(),
  message: text("message"),
  rows: integer("rows"),
  fileId: uuid("file_id"),
  sha256: text("sha256"),
  size: bigint("size", { mode: "number" }),
  fileDeletedAt: instant("file_deleted_at"),
  askedAt: instant("asked_at").notNull(),
  finishedAt: instant("finished_at"),
  scheduleId: uuid("schedule_id"),
  /** The scheduled time; null for manual and test runs. */
  dueAt: instant("due_at"),
  isTest: boolean("is_test").notNull().default(false),
  recipients: text("recipients").array().notNull().default([]),
  skipWhenEmpty: boolean("skip_when_empty").notNull().default(false),
  customReportId: uuid("custom_report_id"),
})

export const customReports = pgTable("custom_reports", {
  id: id(),
  name: text("name").notNull(),
  description: text("description").notNull().default(""),
  format: text("format").$type<ReportFormat>().notNull(),
  definition: jsonb("definition").$type<CustomDefinition>().notNull(),
  ownerId: uuid("owner_id").notNull(),
  sharedWith: text("shared_with").array().$type<CustomShare[]>().notNull().default([]),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
  deletedAt: instant("deleted_at"),
  version: version(),
})

export const reportSchedules = pgTable("report_schedules", {
  id: id(),
  name: text("name").notNull(),
  description: text("description").notNull().default(""),
  report: text("report").notNull(),
  format: text("format").$type<ReportFormat>().notNull(),
  asked: jsonb("asked").$type<Record<string, unknown>>().notNull().default({}),
  type: text("type").$type<ScheduleType>().notNull(),
  hour: integer("hour").notNull(),
  dayOfWeek: integer("day_of_week"),
  dayOfMonth: integer("day_of_month"),
  recipients: text("recipients").array().notNull(),
  skipWhenEmpty: boolean("skip_when_empty").notNull().default(false),
  isActive: boolean("is_active").notNull().default(true),
  pausedBecause: text("paused_because"),
  failures: integer("failures").notNull().default(0),
  nextRunAt: instant("next_run_at").notNull(),
  lastRunAt: instant("last_run_at"),
  ownerId: uuid("owner_id").notNull(),
  createdAt: instant("created_at").notNull(),
  deletedAt: instant("deleted_at"),
  version: version(),
  customReportId: uuid("custom_report_id"),
})

export const dashboardMonthEnds = pgTable("dashboard_month_ends", {
  monthEnd: day("month_end").notNull(),
  groupId: uuid("group_id").notNull(),
  activePolicies: integer("active_policies").notNull(),
  totalMembers: integer("total_members").notNull(),
  pendingClaims: integer("pending_claims").notNull(),
  outstandingPremiums: bigint("outstanding_premiums", { mode: "number" }).notNull(),
  claimsProcessed: integer("claims_processed").notNull(),
  overduePayments: integer("overdue_payments").notNull(),
})
