import type { VatClass } from "@milkwood/domain/benefits/vat"
import type {
  BillingRunStatus,
  ParkedReason,
  RunMark,
  RunOutcome,
  RunPolicyState,
} from "@milkwood/domain/billing/billing-run"
import type { CreditKind } from "@milkwood/domain/billing/credit-parts"
import type { InvoiceKind, StoredInvoiceStatus } from "@milkwood/domain/billing/invoice"
import { integer, numeric, pgTable, text, uuid } from "drizzle-orm/pg-core"
import { cents, day, groupId, id, instant, version } from "../platform/database/columns.ts"

export const invoices = pgTable("invoices", {
  id: id(),
  groupId: groupId(),
  policyId: uuid("policy_id").notNull(),
  number: text("number").notNull(),
  kind: text("kind").$type<InvoiceKind>().notNull(),
  status: text("status").$type<StoredInvoiceStatus>().notNull().default("draft"),
  invoiceOn: day("invoice_on").notNull(),
  dueOn: day("due_on").notNull(),
  periodStartOn: day("period_start_on").notNull(),
  periodEndOn: day("period_end_on").notNull(),
  subtotalCents: cents("subtotal_cents").notNull(),
  discountCents: cents("discount_cents").notNull().default(0),
  discountPercent: numeric("discount_percent", { precision: 5, scale: 2, mode: "number" }),
  discountReason: text("discount_reason").notNull().default(""),
  vatPercent: numeric("vat_percent", { precision: 5, scale: 2, mode: "number" }).notNull(),
  vatCents: cents("vat_cents").notNull(),
  totalCents: cents("total_cents").notNull(),
  notes: text("notes").notNull().default(""),
  sentTo: text("sent_to"),
  pdfFileId: uuid("pdf_file_id"),
  createdBy: uuid("created_by"),
  createdAt: instant("created_at").notNull(),
  approvedAt: instant("approved_at"),
  sentAt: instant("sent_at"),
  cancelledAt: instant("cancelled_at"),
  cancelReason: text("cancel_reason"),
  creditedWholeAt: instant("credited_whole_at"),
  version: version(),
  /** Both are maintained by triggers; reversed allocations do not count. */
  creditedCents: cents("credited_cents").notNull().default(0),
  allocatedCents: cents("allocated_cents").notNull().default(0),
  writtenOffCents: cents("written_off_cents").notNull().default(0),
  /** Set on sending: number of lines, number of members, and cents for months before the invoice's own. */
  lineCount: integer("line_count"),
  memberCount: integer("member_count"),
  earlierCents: cents("earlier_cents"),
  /** The PDF was deleted; downloads render a new one. */
  paperDeletedOn: day("paper_deleted_on"),
})

export const invoiceLines = pgTable("invoice_lines", {
  id: id(),
  groupId: groupId(),
  invoiceId: uuid("invoice_id").notNull(),
  position: integer("position").notNull(),
  description: text("description").notNull(),
  quantity: integer("quantity").notNull(),
  unitCents: cents("unit_cents").notNull(),
  totalCents: cents("total_cents").notNull(),
  memberId: uuid("member_id"),
  tierId: uuid("tier_id"),
  billedMonth: day("billed_month"),
  vatClass: text("vat_class").$type<VatClass>().notNull(),
  vatPercent: numeric("vat_percent", { precision: 5, scale: 2, mode: "number" }).notNull(),
})

/** Without VAT and before discount; the database writes it on sending. */
export const invoiceVat = pgTable("invoice_vat", {
  invoiceId: uuid("invoice_id").notNull(),
  groupId: groupId(),
  vatClass: text("vat_class").$type<VatClass>().notNull(),
  vatPercent: numeric("vat_percent", { precision: 5, scale: 2, mode: "number" }).notNull(),
  netCents: cents("net_cents").notNull(),
  /** Position of the first line with this rate. */
  position: integer("position").notNull(),
})

export const creditNotes = pgTable("credit_notes", {
  id: id(),
  groupId: groupId(),
  policyId: uuid("policy_id").notNull(),
  invoiceId: uuid("invoice_id").notNull(),
  number: text("number").notNull(),
  kind: text("kind").$type<CreditKind>().notNull(),
  creditedOn: day("credited_on").notNull(),
  netCents: cents("net_cents").notNull(),
  vatCents: cents("vat_cents").notNull(),
  totalCents: cents("total_cents").notNull(),
  /** Share of discount and concessions. */
  discountCents: cents("discount_cents").notNull().default(0),
  reason: text("reason").notNull(),
  /** Recipient at issue; empty: without mail. */
  mailTo: text("mail_to").notNull().default(""),
  /** Null until the PDF job has run. */
  pdfFileId: uuid("pdf_file_id"),
  createdBy: uuid("created_by"),
  createdAt: instant("created_at").notNull(),
})

/** Without VAT and before discount. */
export const creditNoteLines = pgTable("credit_note_lines", {
  id: id(),
  groupId: groupId(),
  creditNoteId: uuid("credit_note_id").notNull(),
  position: integer("position").notNull(),
  invoiceLineId: uuid("invoice_line_id").notNull(),
  memberId: uuid("member_id"),
  billedMonth: day("billed_month"),
  netCents: cents("net_cents").notNull(),
  vatClass: text("vat_class").$type<VatClass>().notNull(),
  vatPercent: numeric("vat_percent", { precision: 5, scale: 2, mode: "number" }).notNull(),
  vatCents: cents("vat_cents").notNull(),
})

export const billingRuns = pgTable("billing_runs", {
  id: id(),
  number: text("number").notNull(),
  month: day("month").notNull(),
  status: text("status").$type<BillingRunStatus>().notNull().default("previewing"),
  outcome: text("outcome").$type<RunOutcome>(),
  /** Null for all policies. */
  policyIds: uuid("policy_ids").array(),
  jobId: uuid("job_id"),
  createdBy: uuid("created_by"),
  createdAt: instant("created_at").notNull(),
  previewedAt: instant("previewed_at"),
  makingAt: instant("making_at"),
  madeAt: instant("made_at"),
  cancelledAt: instant("cancelled_at"),
  version: version(),
})

export const billingRunPolicies = pgTable("billing_run_policies", {
  id: id(),
  groupId: groupId(),
  runId: uuid("run_id").notNull(),
  policyId: uuid("policy_id").notNull(),
  state: text("state").$type<RunPolicyState>().notNull(),
  reasonKind: text("reason_kind").$type<ParkedReason>(),
  reason: text("reason"),
  mendInvoiceId: uuid("mend_invoice_id"),
  members: integer("members").notNull().default(0),
  baseCents: cents("base_cents").notNull().default(0),
  adjustmentCents: cents("adjustment_cents").notNull().default(0),
  vatCents: cents("vat_cents").notNull().default(0),
  totalCents: cents("total_cents").notNull().default(0),
  lastCents: cents("last_cents"),
  joinersCents: cents("joiners_cents"),
  leaversCents: cents("leavers_cents"),
  premiumCents: cents("premium_cents"),
  otherCents: cents("other_cents"),
  marks: text("marks").$type<RunMark>().array().notNull().default([]),
  invoiceId: uuid("invoice_id"),
  creditNoteIds: uuid("credit_note_ids").array().notNull().default([]),
  sendFailure: text("send_failure"),
  creditNotesMailedAt: instant("credit_notes_mailed_at"),
})

/** The last month that a premium run billed without a remaining difference. */
export const settledMonths = pgTable("settled_months", {
  policyId: uuid("policy_id").notNull(),
  groupId: groupId(),
  month: day("month").notNull(),
  settledAt: instant("settled_at").notNull(),
  invoiceIds: uuid("invoice_ids").array().notNull(),
})
