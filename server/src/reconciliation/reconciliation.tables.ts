import type { Resolution } from "@milkwood/domain/reconciliation/reconciliation"
import type { RemittanceColumns } from "@milkwood/domain/reconciliation/remittance-columns"
import type { RemittanceOutcome } from "@milkwood/domain/reconciliation/remittance-outcome"
import { integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core"
import { cents, day, groupId, id, instant, version } from "../platform/database/columns.ts"

/** Resolutions of a month's difference; the newest applies. */
export const monthResolutions = pgTable("month_resolutions", {
  id: id(),
  groupId: groupId(),
  month: day("month").notNull(),
  kind: text("kind").$type<Resolution>().notNull(),
  differenceCents: cents("difference_cents").notNull(),
  note: text("note").notNull(),
  resolvedBy: uuid("resolved_by").notNull(),
  resolvedAt: instant("resolved_at").notNull(),
})

export const remittances = pgTable("remittances", {
  id: id(),
  groupId: groupId(),
  invoiceId: uuid("invoice_id").notNull(),
  fileId: uuid("file_id"),
  fileName: text("file_name").notNull(),
  sha256: text("sha256").notNull(),
  headers: text("headers").array().notNull(),
  /** Null until the columns are chosen. */
  columns: jsonb("columns").$type<RemittanceColumns>(),
  notes: text("notes").array().notNull().default([]),
  paidCents: cents("paid_cents").notNull().default(0),
  billedCents: cents("billed_cents").notNull().default(0),
  differingCount: integer("differing_count"),
  createdBy: uuid("created_by"),
  createdAt: instant("created_at").notNull(),
  version: version(),
})

export const remittanceContents = pgTable("remittance_contents", {
  remittanceId: uuid("remittance_id").primaryKey(),
  groupId: groupId(),
  rows: jsonb("rows").$type<[line: number, ...cells: string[]][]>().notNull(),
})

export const remittanceRows = pgTable("remittance_rows", {
  id: id(),
  groupId: groupId(),
  remittanceId: uuid("remittance_id").notNull(),
  position: integer("position").notNull(),
  memberId: uuid("member_id"),
  who: text("who").notNull(),
  line: integer("line"),
  outcome: text("outcome").$type<RemittanceOutcome>().notNull(),
  paidCents: cents("paid_cents"),
  billedCents: cents("billed_cents"),
  words: text("words").notNull(),
})
