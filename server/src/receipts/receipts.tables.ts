import type { ReceiptAccount, ReceiptMethod } from "@milkwood/domain/receipts/receipt"
import { integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core"
import { cents, day, groupId, id, instant, version } from "../platform/database/columns.ts"

export const receipts = pgTable("receipts", {
  id: id(),
  groupId: groupId(),
  policyId: uuid("policy_id").notNull(),
  number: text("number").notNull(),
  amountCents: cents("amount_cents").notNull(),
  method: text("method").$type<ReceiptMethod>().notNull(),
  receivedOn: day("received_on").notNull(),
  reference: text("reference").notNull().default(""),
  notes: text("notes").notNull().default(""),
  createdBy: uuid("created_by"),
  createdAt: instant("created_at").notNull(),
  reversedOn: day("reversed_on"),
  reversedAt: instant("reversed_at"),
  reversedBy: uuid("reversed_by"),
  reverseReason: text("reverse_reason"),
  version: version(),
  /** Maintained by a trigger. */
  allocatedCents: cents("allocated_cents").notNull().default(0),
  paidInto: text("paid_into").$type<ReceiptAccount>().notNull().default("bank"),
  depositId: uuid("deposit_id"),
  /** Maintained by a trigger. */
  refundedCents: cents("refunded_cents").notNull().default(0),
  postedVersion: integer("posted_version").notNull().default(1),
})

export const deposits = pgTable("deposits", {
  id: id(),
  number: text("number").notNull(),
  amountCents: cents("amount_cents").notNull(),
  method: text("method").$type<ReceiptMethod>().notNull(),
  receivedOn: day("received_on").notNull(),
  reference: text("reference").notNull().default(""),
  notes: text("notes").notNull().default(""),
  createdBy: uuid("created_by"),
  createdAt: instant("created_at").notNull(),
})

export const receiptEdits = pgTable(
  "receipt_edits",
  {
    receiptId: uuid("receipt_id").notNull(),
    postedVersion: integer("posted_version").notNull(),
    policyId: uuid("policy_id").notNull(),
    amountCents: cents("amount_cents").notNull(),
    method: text("method").$type<ReceiptMethod>().notNull(),
    paidInto: text("paid_into").$type<ReceiptAccount>().notNull(),
    receivedOn: day("received_on").notNull(),
    editedBy: uuid("edited_by"),
    editedAt: instant("edited_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.receiptId, table.postedVersion] })],
)

export const receiptAllocations = pgTable("receipt_allocations", {
  id: id(),
  groupId: groupId(),
  policyId: uuid("policy_id").notNull(),
  receiptId: uuid("receipt_id").notNull(),
  invoiceId: uuid("invoice_id").notNull(),
  amountCents: cents("amount_cents").notNull(),
  allocatedOn: day("allocated_on").notNull(),
  createdBy: uuid("created_by"),
  createdAt: instant("created_at").notNull(),
  releasedOn: day("released_on"),
  releasedAt: instant("released_at"),
  releaseReason: text("release_reason"),
})

export const writeOffs = pgTable("write_offs", {
  id: id(),
  groupId: groupId(),
  policyId: uuid("policy_id").notNull(),
  invoiceId: uuid("invoice_id").notNull(),
  netCents: cents("net_cents").notNull(),
  vatCents: cents("vat_cents").notNull(),
  totalCents: cents("total_cents").notNull(),
  reason: text("reason").notNull(),
  askedBy: uuid("asked_by").notNull(),
  keyMadeBy: uuid("key_made_by"),
  askedAt: instant("asked_at").notNull(),
  limitCents: cents("limit_cents").notNull(),
  writtenOffOn: day("written_off_on"),
  confirmedBy: uuid("confirmed_by"),
  confirmedAt: instant("confirmed_at"),
  declinedBy: uuid("declined_by"),
  declinedAt: instant("declined_at"),
  reversedOn: day("reversed_on"),
  reversedBy: uuid("reversed_by"),
  reversedAt: instant("reversed_at"),
  reverseReason: text("reverse_reason"),
})
