import { type PayoutMethod, type PayoutStatus, subjectKinds } from "@milkwood/domain/payouts/payout"
import { sql } from "drizzle-orm"
import { pgTable, text, uuid } from "drizzle-orm/pg-core"
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
  statusReason: text("status_reason"),
  version: version(),
  payeeChangedBy: uuid("payee_changed_by"),
})
