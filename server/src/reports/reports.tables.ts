import type { ReportFormat } from "@milkwood/domain/reports/report"
import { bigint, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core"
import { id, instant } from "../platform/database/columns.ts"

/** Every report that was made, or is being made. */
export const reportRuns = pgTable("report_runs", {
  id: id(),
  report: text("report").notNull(),
  name: text("name").notNull(),
  format: text("format").$type<ReportFormat>().notNull(),
  /** As the report's list is asked, dates filled in. */
  asked: jsonb("asked").$type<Record<string, unknown>>().notNull(),
  words: text("words").notNull(),
  ownerId: uuid("owner_id").notNull(),
  state: text("state", { enum: ["making", "done", "failed"] }).notNull(),
  message: text("message"),
  rows: integer("rows"),
  fileId: uuid("file_id"),
  sha256: text("sha256"),
  size: bigint("size", { mode: "number" }),
  askedAt: instant("asked_at").notNull(),
  finishedAt: instant("finished_at"),
})
