import type { BankProof } from "@milkwood/domain/banking/bank-proof"
import type { SignedCheck } from "@milkwood/domain/month-end/checklist"
import { jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core"
import { day, groupId, id, instant } from "../platform/database/columns.ts"

/** Reasons why policies are not billed for a month. */
export const monthExcuses = pgTable("month_excuses", {
  id: id(),
  groupId: groupId(),
  policyId: uuid("policy_id").notNull(),
  month: day("month").notNull(),
  reason: text("reason").notNull(),
  excusedBy: uuid("excused_by"),
  excusedAt: instant("excused_at").notNull(),
  withdrawnBy: uuid("withdrawn_by"),
  withdrawnAt: instant("withdrawn_at"),
})

/** Receipts with an amount left unallocated on purpose. */
export const heldCredits = pgTable("held_credits", {
  id: id(),
  groupId: groupId(),
  receiptId: uuid("receipt_id").notNull(),
  reason: text("reason").notNull(),
  heldBy: uuid("held_by"),
  heldAt: instant("held_at").notNull(),
  releasedBy: uuid("released_by"),
  releasedAt: instant("released_at"),
})

/** A snapshot for each closing. */
export const signedReconciliations = pgTable("signed_reconciliations", {
  closedMonthId: uuid("closed_month_id").primaryKey(),
  content: jsonb("content").$type<BankProof>().notNull(),
  /** Set by a job after the closing. */
  pdfFileId: uuid("pdf_file_id"),
  pdfSha256: text("pdf_sha256"),
  csvFileId: uuid("csv_file_id"),
  csvSha256: text("csv_sha256"),
})

/** A snapshot of the checklist for each closing. */
export const signedChecklists = pgTable("signed_checklists", {
  closedMonthId: uuid("closed_month_id").primaryKey(),
  checks: jsonb("checks").$type<SignedCheck[]>().notNull(),
  /** Set by a job after the closing. */
  fileId: uuid("file_id"),
  sha256: text("sha256"),
})
