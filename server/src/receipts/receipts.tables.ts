import type { ReceiptMethod } from "@milkwood/domain/receipts/receipt"
import { pgTable, text, uuid } from "drizzle-orm/pg-core"
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
  /** Kept by the database: what is set against invoices. */
  allocatedCents: cents("allocated_cents").notNull().default(0),
})

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
