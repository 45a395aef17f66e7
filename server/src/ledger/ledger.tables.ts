import type { Account } from "@milkwood/domain/ledger/account"
import type { EntryKind } from "@milkwood/domain/ledger/entry"
import { sql } from "drizzle-orm"
import { bigint, boolean, integer, jsonb, pgTable, smallint, text, uuid } from "drizzle-orm/pg-core"
import { cents, day, groupId, id, instant } from "../platform/database/columns.ts"

export const ledgerEntries = pgTable("ledger_entries", {
  id: id(),
  source: text("source").notNull(),
  kind: text("kind").$type<EntryKind>().notNull(),
  reversesId: uuid("reverses_id"),
  effectiveOn: day("effective_on").notNull(),
  postedAt: instant("posted_at").notNull(),
  description: text("description").notNull(),
  recordKind: text("record_kind").notNull(),
  recordId: uuid("record_id").notNull(),
  seq: bigint("seq", { mode: "number" }).notNull().generatedAlwaysAsIdentity(),
})

export const ledgerPostings = pgTable("ledger_postings", {
  entryId: uuid("entry_id").notNull(),
  line: smallint("line").notNull(),
  account: text("account").$type<Account>().notNull(),
  policyId: uuid("policy_id"),
  groupId: uuid("group_id"),
  amountCents: cents("amount_cents").notNull(),
  id: uuid("id").notNull().defaultRandom(),
  // The database copies these columns from the entry.
  effectiveOn: day("effective_on").notNull().default(sql`null`),
  seq: bigint("seq", { mode: "number" }).notNull().default(sql`null`),
  words: text("words").notNull().default(sql`null`),
  /** Null = main bank account. */
  bankAccountId: uuid("bank_account_id"),
})

/** Totals per account, policy and month, which triggers maintain. */
export const ledgerMonths = pgTable("ledger_months", {
  account: text("account").$type<Account>().notNull(),
  policyId: uuid("policy_id"),
  groupId: uuid("group_id"),
  month: day("month").notNull(),
  debitCents: cents("debit_cents").notNull(),
  creditCents: cents("credit_cents").notNull(),
  postings: integer("postings").notNull(),
})

/** Premium by cover month, without VAT and after discount. */
export const premiumParts = pgTable("premium_parts", {
  id: id(),
  groupId: groupId(),
  policyId: uuid("policy_id").notNull(),
  invoiceId: uuid("invoice_id").notNull(),
  /** Null if the premium belongs to the invoice itself. */
  creditNoteId: uuid("credit_note_id"),
  number: text("number").notNull(),
  month: day("month").notNull(),
  netCents: cents("net_cents").notNull(),
  postedOn: day("posted_on").notNull(),
  /** Null until its month begins. */
  earnedOn: day("earned_on"),
  /** Posted as income at once, before premium deferral was introduced. */
  isEarnedAtOnce: boolean("is_earned_at_once").notNull().default(false),
})

/** The database refuses postings into closed months. */
export const closedMonths = pgTable("closed_months", {
  id: id(),
  month: day("month").notNull(),
  balances: jsonb("balances").$type<Partial<Record<Account, number>>>().notNull(),
  lastSeq: bigint("last_seq", { mode: "number" }).notNull(),
  closedBy: uuid("closed_by"),
  closedAt: instant("closed_at").notNull(),
  reopenedBy: uuid("reopened_by"),
  reopenedAt: instant("reopened_at"),
  reopenReason: text("reopen_reason"),
  reopenedSeq: bigint("reopened_seq", { mode: "number" }),
})
