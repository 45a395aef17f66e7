import type { RememberedColumns } from "@milkwood/domain/banking/bank-csv"
import type { NotOursReason, PlacementKind } from "@milkwood/domain/banking/bank-placement"
import type { MatchKind } from "@milkwood/domain/banking/matching"
import { type StatementContent, statementFormats } from "@milkwood/domain/banking/statement"
import { boolean, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core"
import { cents, day, groupId, id, instant, version } from "../platform/database/columns.ts"

export const bankAccounts = pgTable("bank_accounts", {
  id: id(),
  name: text("name").notNull(),
  bank: text("bank").notNull(),
  accountNumber: text("account_number").notNull(),
  branchCode: text("branch_code").notNull().default(""),
  isMain: boolean("is_main").notNull(),
  openedOn: day("opened_on"),
  openingCents: cents("opening_cents"),
  openingPostedCents: cents("opening_posted_cents"),
  openedAt: instant("opened_at"),
  columns: jsonb("columns").$type<RememberedColumns>(),
  createdBy: uuid("created_by"),
  createdAt: instant("created_at").notNull(),
  version: version(),
})

export const bankOpeningCorrections = pgTable("bank_opening_corrections", {
  id: id(),
  accountId: uuid("account_id").notNull(),
  nth: integer("nth").notNull(),
  beforeCents: cents("before_cents").notNull(),
  afterCents: cents("after_cents").notNull(),
  reason: text("reason").notNull(),
  correctedBy: uuid("corrected_by"),
  correctedAt: instant("corrected_at").notNull(),
})

export const bankUploads = pgTable("bank_uploads", {
  id: id(),
  accountId: uuid("account_id").notNull(),
  fileId: uuid("file_id").notNull(),
  fileName: text("file_name").notNull(),
  sha256: text("sha256").notNull(),
  content: jsonb("content").$type<StatementContent>().notNull(),
  uploadedBy: uuid("uploaded_by").notNull(),
  uploadedAt: instant("uploaded_at").notNull(),
})

export const bankStatements = pgTable("bank_statements", {
  id: id(),
  number: text("number").notNull(),
  accountId: uuid("account_id").notNull(),
  fileId: uuid("file_id"),
  fileName: text("file_name").notNull(),
  sha256: text("sha256").notNull(),
  format: text("format", { enum: statementFormats }).notNull(),
  fromOn: day("from_on").notNull(),
  toOn: day("to_on").notNull(),
  openingCents: cents("opening_cents"),
  closingCents: cents("closing_cents"),
  newCount: integer("new_count").notNull(),
  knownCount: integer("known_count").notNull(),
  faults: text("faults").array().notNull().default([]),
  importedBy: uuid("imported_by"),
  importedAt: instant("imported_at").notNull(),
  undoneBy: uuid("undone_by"),
  undoneAt: instant("undone_at"),
})

export const bankStatementDays = pgTable(
  "bank_statement_days",
  {
    statementId: uuid("statement_id").notNull(),
    day: day("day").notNull(),
    amounts: cents("amounts").array().notNull(),
    closingCents: cents("closing_cents"),
    /** Digest of the lines' texts and amounts; null for statements imported before days were stored. */
    digest: text("digest"),
  },
  (table) => [primaryKey({ columns: [table.statementId, table.day] })],
)

export const bankLines = pgTable("bank_lines", {
  id: id(),
  accountId: uuid("account_id").notNull(),
  statementId: uuid("statement_id").notNull(),
  line: integer("line").notNull(),
  day: day("day").notNull(),
  amountCents: cents("amount_cents").notNull(),
  text: text("text").notNull(),
  reference: text("reference").notNull(),
  balanceCents: cents("balance_cents"),
  ordinal: integer("ordinal").notNull(),
})

export const bankPlacements = pgTable("bank_placements", {
  id: id(),
  lineId: uuid("line_id").notNull(),
  kind: text("kind").$type<PlacementKind>().notNull(),
  note: text("note").notNull().default(""),
  isAutomatic: boolean("is_automatic").notNull().default(false),
  placedBy: uuid("placed_by"),
  placedAt: instant("placed_at").notNull(),
  undoneBy: uuid("undone_by"),
  undoneAt: instant("undone_at"),
})

export const bankMatches = pgTable("bank_matches", {
  id: id(),
  placementId: uuid("placement_id").notNull(),
  lineId: uuid("line_id").notNull(),
  groupId: groupId(),
  kind: text("kind").$type<MatchKind>().notNull(),
  receiptId: uuid("receipt_id"),
  payoutId: uuid("payout_id"),
  amountCents: cents("amount_cents").notNull(),
  undoneAt: instant("undone_at"),
})

/** Learned payer texts. A payer that a user forgets keeps its row. */
export const bankPayers = pgTable("bank_payers", {
  id: id(),
  payer: text("payer").notNull(),
  policyId: uuid("policy_id"),
  groupId: uuid("group_id"),
  reason: text("reason").$type<NotOursReason>(),
  confirmed: integer("confirmed").notNull().default(0),
  declined: integer("declined").notNull().default(0),
  lastAt: instant("last_at").notNull(),
  forgottenAt: instant("forgotten_at"),
  forgottenBy: uuid("forgotten_by"),
})

export const learnedPayers = pgTable("learned_payers", {
  placementId: uuid("placement_id").notNull(),
  payerId: uuid("payer_id").notNull(),
})

export const bankDeclines = pgTable("bank_declines", {
  lineId: uuid("line_id").notNull(),
  key: text("key").notNull(),
  declinedBy: uuid("declined_by"),
  declinedAt: instant("declined_at").notNull(),
})
