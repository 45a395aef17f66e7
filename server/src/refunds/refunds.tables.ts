import { refundMethods, refundReasons, refundStatuses } from "@milkwood/domain/refunds/refund"
import { boolean, pgTable, text, uuid } from "drizzle-orm/pg-core"
import { cents, day, groupId, id, instant, version } from "../platform/database/columns.ts"

export const refunds = pgTable("refunds", {
  id: id(),
  groupId: groupId(),
  policyId: uuid("policy_id").notNull(),
  number: text("number").notNull(),
  memberId: uuid("member_id"),
  amountCents: cents("amount_cents").notNull(),
  method: text("method", { enum: refundMethods }).notNull(),
  reason: text("reason", { enum: refundReasons }).notNull(),
  periodFromOn: day("period_from_on"),
  periodToOn: day("period_to_on"),
  reference: text("reference").notNull().default(""),
  notes: text("notes").notNull().default(""),
  correctedCents: cents("corrected_cents").notNull().default(0),
  status: text("status", { enum: refundStatuses }).notNull(),
  refundedOn: day("refunded_on"),
  statusReason: text("status_reason"),
  createdBy: uuid("created_by").notNull(),
  createdAt: instant("created_at").notNull(),
  version: version(),
})

/** Amounts of receipts held by refunds, given back, or allocated to invoices. */
export const refundParts = pgTable("refund_parts", {
  id: id(),
  groupId: groupId(),
  policyId: uuid("policy_id").notNull(),
  refundId: uuid("refund_id").notNull(),
  receiptId: uuid("receipt_id").notNull(),
  amountCents: cents("amount_cents").notNull(),
  takenAt: instant("taken_at").notNull(),
  releasedAt: instant("released_at"),
  invoiceId: uuid("invoice_id"),
  isSplit: boolean("is_split").notNull().default(false),
})
