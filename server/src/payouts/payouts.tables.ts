import { batchStatuses, paymentFileFormats, withdrawals } from "@milkwood/domain/payouts/batch"
import type { PaymentAnswer } from "@milkwood/domain/payouts/payment-answer"
import { type PayoutMethod, type PayoutStatus, subjectKinds } from "@milkwood/domain/payouts/payout"
import type { Payee } from "@milkwood/domain/payouts/payout-shape"
import { sql } from "drizzle-orm"
import { integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core"
import { cents, day, groupId, id, instant, version } from "../platform/database/columns.ts"

export const payouts = pgTable("payouts", {
  id: id(),
  groupId: groupId(),
  policyId: uuid("policy_id").notNull(),
  number: text("number").notNull(),
  subjectKind: text("subject_kind", { enum: subjectKinds }).notNull(),
  subjectId: uuid("subject_id").notNull(),
  subjectLabel: text("subject_label").notNull(),
  memberId: uuid("member_id"),
  /** The recorded payee of a claim; null for a typed payee. */
  payeeId: uuid("payee_id"),
  claimId: uuid("claim_id").generatedAlwaysAs(sql`case when subject_kind = 'claim' then subject_id end`),
  amountCents: cents("amount_cents").notNull(),
  method: text("method").$type<PayoutMethod>().notNull(),
  reference: text("reference").notNull(),
  notes: text("notes").notNull().default(""),
  status: text("status").$type<PayoutStatus>().notNull().default("pending"),
  payeeName: text("payee_name").notNull(),
  payeeBank: text("payee_bank").notNull().default(""),
  payeeBranchCode: text("payee_branch_code").notNull().default(""),
  payeeAccountNumber: text("payee_account_number").notNull().default(""),
  preparedBy: uuid("prepared_by").array().notNull(),
  createdBy: uuid("created_by").notNull(),
  createdAt: instant("created_at").notNull(),
  releasedBy: uuid("released_by"),
  releasedAt: instant("released_at"),
  completedOn: day("completed_on"),
  completedAt: instant("completed_at"),
  returnedOn: day("returned_on"),
  bankAccountId: uuid("bank_account_id"),
  releasesUndone: integer("releases_undone").notNull().default(0),
  completionsUndone: integer("completions_undone").notNull().default(0),
  returnsUndone: integer("returns_undone").notNull().default(0),
  statusReason: text("status_reason"),
  version: version(),
  payeeChangedBy: uuid("payee_changed_by"),
  payeeChangedAt: instant("payee_changed_at"),
  payeeEmail: text("payee_email").notNull().default(""),
  formerPayee: jsonb("former_payee").$type<Payee>(),
  payeeConfirmedBy: uuid("payee_confirmed_by"),
  // Set by a database trigger at each release.
  attemptedPayee: jsonb("attempted_payee").$type<Payee>(),
  attemptedAt: instant("attempted_at"),
})

export const payoutBatches = pgTable("payout_batches", {
  id: id(),
  number: text("number").notNull(),
  bankAccountId: uuid("bank_account_id").notNull(),
  executionOn: day("execution_on").notNull(),
  format: text("format", { enum: paymentFileFormats }).notNull(),
  status: text("status", { enum: batchStatuses }).notNull().default("open"),
  createdBy: uuid("created_by").notNull(),
  createdAt: instant("created_at").notNull(),
  releasedBy: uuid("released_by"),
  releasedAt: instant("released_at"),
  statusReason: text("status_reason"),
  paymentCount: integer("payment_count").notNull().default(0),
  amountCents: cents("amount_cents").notNull().default(0),
  version: version(),
})

export const payoutBatchPayments = pgTable("payout_batch_payments", {
  id: id(),
  batchId: uuid("batch_id").notNull(),
  payoutId: uuid("payout_id").notNull(),
  groupId: groupId(),
  addedBy: uuid("added_by").notNull(),
  addedAt: instant("added_at").notNull(),
  endToEndId: text("end_to_end_id"),
  removedAt: instant("removed_at"),
})

/** The current file is the one not withdrawn. */
export const paymentFiles = pgTable("payment_files", {
  id: id(),
  batchId: uuid("batch_id").notNull(),
  nth: integer("nth").notNull(),
  messageId: text("message_id").notNull(),
  format: text("format", { enum: paymentFileFormats }).notNull(),
  fileId: uuid("file_id"),
  sha256: text("sha256").notNull(),
  paymentCount: integer("payment_count").notNull(),
  controlSumCents: cents("control_sum_cents").notNull(),
  executionOn: day("execution_on").notNull(),
  madeAt: instant("made_at").notNull(),
  exportedBy: uuid("exported_by"),
  exportedAt: instant("exported_at"),
  ticket: uuid("ticket"),
  withdrawn: text("withdrawn", { enum: withdrawals }),
  withdrawnBy: uuid("withdrawn_by"),
  withdrawnAt: instant("withdrawn_at"),
  withdrawnReason: text("withdrawn_reason"),
})

export const paymentAnswers = pgTable("payment_answers", {
  id: id(),
  batchId: uuid("batch_id").notNull(),
  fileId: uuid("file_id"),
  sha256: text("sha256").notNull(),
  jobId: uuid("job_id").notNull(),
  content: jsonb("content").$type<PaymentAnswer>().notNull(),
  uploadedBy: uuid("uploaded_by").notNull(),
  uploadedAt: instant("uploaded_at").notNull(),
})
