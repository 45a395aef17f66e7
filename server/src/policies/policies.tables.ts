import type { CoverTerm } from "@milkwood/domain/policies/cover-terms"
import type { EndRule } from "@milkwood/domain/policies/end-rule"
import type { DocumentReaders } from "@milkwood/domain/policies/policy-document"
import type { AgeDay, RatedPerson, SumAssured } from "@milkwood/domain/policies/rates"
import { boolean, customType, integer, numeric, pgTable, text, uuid } from "drizzle-orm/pg-core"
import { cents, day, groupId, id, instant, version } from "../platform/database/columns.ts"

/** A half-open PostgreSQL range: `[2026-11-01,2026-12-01)`, or `[2026-11-01,)` without an end. */
export const daterange = customType<{ data: string }>({ dataType: () => "daterange" })

export const policies = pgTable("policies", {
  id: id(),
  groupId: groupId(),
  number: text("number").notNull(),
  status: text("status", { enum: ["Draft", "Active", "Suspended", "Terminated", "Expired"] })
    .notNull()
    .default("Draft"),
  description: text("description").notNull().default(""),
  owningFund: text("owning_fund").notNull().default(""),
  productTypeId: uuid("product_type_id"),
  coverageType: text("coverage_type", { enum: ["life", "health", "disability", "comprehensive"] }),
  premiumCents: cents("premium_cents").notNull(),
  /** Rates that replace the premium: a copy of today's, or a draft's only ones. */
  rateTableId: uuid("rate_table_id"),
  sumAssuredCents: cents("sum_assured_cents"),
  waitingPeriodMonths: integer("waiting_period_months").notNull().default(0),
  startOn: day("start_on"),
  endOn: day("end_on"),
  billedFromOn: day("billed_from_on"),
  endRule: text("end_rule").$type<EndRule>().notNull().default("whole month"),
  dueDays: integer("due_days").notNull().default(30),
  staffListDay: integer("staff_list_day"),
  staffListsFromOn: day("staff_lists_from_on"),
  contactName: text("contact_name").notNull().default(""),
  contactEmail: text("contact_email").notNull().default(""),
  contactPhone: text("contact_phone").notNull().default(""),
  contactCell: text("contact_cell").notNull().default(""),
  contactPosition: text("contact_position").notNull().default(""),
  companyVatNumber: text("company_vat_number").notNull().default(""),
  companyAddress: text("company_address").notNull().default(""),
  contactNotes: text("contact_notes").notNull().default(""),
  statusReason: text("status_reason"),
  terminatedOn: day("terminated_on"),
  activatedAt: instant("activated_at"),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
  version: version(),
})

export const policyPremiums = pgTable("policy_premiums", {
  id: id(),
  groupId: groupId(),
  policyId: uuid("policy_id").notNull(),
  premiumCents: cents("premium_cents").notNull(),
  rateTableId: uuid("rate_table_id"),
  valid: daterange("valid").notNull(),
  recordedAt: instant("recorded_at").notNull(),
  supersededAt: instant("superseded_at"),
})

export const policyCoverTerms = pgTable("policy_cover_terms", {
  id: id(),
  groupId: groupId(),
  policyId: uuid("policy_id").notNull(),
  term: text("term").$type<CoverTerm>().notNull(),
  productTypeId: uuid("product_type_id"),
  sumAssuredCents: cents("sum_assured_cents"),
  waitingPeriodMonths: integer("waiting_period_months"),
  owningFund: text("owning_fund"),
  valid: daterange("valid").notNull(),
  recordedAt: instant("recorded_at").notNull(),
  supersededAt: instant("superseded_at"),
})

/** Rate tables are immutable. */
export const rateTables = pgTable("rate_tables", {
  id: id(),
  groupId: groupId(),
  policyId: uuid("policy_id").notNull(),
  ageOn: text("age_on").$type<AgeDay>().notNull(),
  sumKind: text("sum_kind").$type<SumAssured["kind"]>(),
  sumCents: cents("sum_cents"),
  salaryMultiple: numeric("salary_multiple", { precision: 6, scale: 2, mode: "number" }),
  createdAt: instant("created_at").notNull(),
})

export const rateSums = pgTable("rate_sums", {
  rateTableId: uuid("rate_table_id").notNull(),
  groupId: groupId(),
  tierId: uuid("tier_id").notNull(),
  cents: cents("cents").notNull(),
})

export const rateRows = pgTable("rate_rows", {
  rateTableId: uuid("rate_table_id").notNull(),
  groupId: groupId(),
  position: integer("position").notNull(),
  person: text("person").$type<RatedPerson>().notNull(),
  tierId: uuid("tier_id"),
  /** PostgreSQL range `[35,45)`; null: every age. */
  ages: customType<{ data: string }>({ dataType: () => "int4range" })("ages"),
  cents: cents("cents"),
  perMille: numeric("per_mille", { precision: 8, scale: 4, mode: "number" }),
})

export const policyPeriods = pgTable("policy_periods", {
  id: id(),
  groupId: groupId(),
  policyId: uuid("policy_id").notNull(),
  kind: text("kind", { enum: ["active", "suspended"] }).notNull(),
  valid: daterange("valid").notNull(),
  recordedAt: instant("recorded_at").notNull(),
  supersededAt: instant("superseded_at"),
})

/** The first month that Milkwood bills; without a row, the month of the policy's start. */
export const policyBilledFrom = pgTable("policy_billed_from", {
  id: id(),
  groupId: groupId(),
  policyId: uuid("policy_id").notNull(),
  month: day("month").notNull(),
  recordedAt: instant("recorded_at").notNull(),
  supersededAt: instant("superseded_at"),
})

/** Without a row, a month in which cover ends is charged as a whole month. */
export const policyEndRules = pgTable("policy_end_rules", {
  id: id(),
  groupId: groupId(),
  policyId: uuid("policy_id").notNull(),
  rule: text("rule").$type<EndRule>().notNull(),
  valid: daterange("valid").notNull(),
  recordedAt: instant("recorded_at").notNull(),
  supersededAt: instant("superseded_at"),
})

export const policyExpiryWarnings = pgTable("policy_expiry_warnings", {
  groupId: groupId(),
  policyId: uuid("policy_id").notNull(),
  endsOn: day("ends_on").notNull(),
  mailId: uuid("mail_id"),
  madeAt: instant("made_at").notNull(),
})

/** All employer groups have the same document types. */
export const policyDocumentTypes = pgTable("policy_document_types", {
  id: id(),
  name: text("name").notNull(),
  readers: text("readers").$type<DocumentReaders>().notNull(),
  requiredForAll: boolean("required_for_all").notNull().default(false),
  createdAt: instant("created_at").notNull(),
  version: version(),
})

export const policyDocumentRequirements = pgTable("policy_document_requirements", {
  documentType: uuid("document_type").notNull(),
  productTypeId: uuid("product_type_id").notNull(),
})

export const policyDocuments = pgTable("policy_documents", {
  id: id(),
  groupId: groupId(),
  policyId: uuid("policy_id").notNull(),
  documentType: uuid("document_type").notNull(),
  name: text("name").notNull(),
  fileId: uuid("file_id").notNull(),
  uploadedBy: uuid("uploaded_by").notNull(),
  uploadedAt: instant("uploaded_at").notNull(),
})
