import type { Choice } from "@milkwood/domain/kernel/declared-field"
import type { Relationship } from "@milkwood/domain/members/member"
import type { MemberFields } from "@milkwood/domain/members/member-fields"
import type { NominationDocumentType, NomineeRelationship } from "@milkwood/domain/members/nomination"
import { noteDirections, noteKinds } from "@milkwood/domain/platform/note"
import { sql } from "drizzle-orm"
import { bigint, boolean, integer, pgTable, text, uuid } from "drizzle-orm/pg-core"
import { cents, day, groupId, id, instant, version } from "../platform/database/columns.ts"
import { daterange } from "../policies/policies.tables.ts"

const genders = ["male", "female", "other"] as const

export const members = pgTable("members", {
  id: id(),
  groupId: groupId(),
  policyId: uuid("policy_id").notNull(),
  number: text("number").notNull(),
  firstName: text("first_name").notNull(),
  lastName: text("last_name").notNull(),
  idNumber: text("id_number"),
  passportNumber: text("passport_number"),
  email: text("email").notNull().default(""),
  phone: text("phone").notNull().default(""),
  address: text("address").notNull().default(""),
  dateOfBirth: day("date_of_birth"),
  gender: text("gender", { enum: genders }),
  employmentStatus: text("employment_status", {
    enum: ["employed", "self-employed", "unemployed", "retired", "student"],
  }),
  employer: text("employer").notNull().default(""),
  jobTitle: text("job_title").notNull().default(""),
  /** The payroll number, unique within a policy. */
  employeeNumber: text("employee_number").notNull().default(""),
  preferredLanguage: text("preferred_language").$type<Choice<MemberFields["preferredLanguage"]>>(),
  tierId: uuid("tier_id").notNull(),
  status: text("status", { enum: ["Pending", "Active", "Suspended", "Terminated"] })
    .notNull()
    .default("Pending"),
  startOn: day("start_on").notNull(),
  endOn: day("end_on"),
  /** Why membership ends; suspension reasons are stored on covers. */
  statusReason: text("status_reason"),
  toComplete: text("to_complete").array().notNull().default([]),
  // Generated search columns.
  nameKey: text("name_key").notNull().generatedAlwaysAs(sql`lower(first_name || ' ' || last_name)`),
  lastNameKey: text("last_name_key").notNull().generatedAlwaysAs(sql`lower(last_name)`),
  searchKey: text("search_key").notNull().generatedAlwaysAs(sql`names, numbers and address, one a line`),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
  version: version(),
  /** The day of anonymisation. */
  forgottenOn: day("forgotten_on"),
})

export const memberCovers = pgTable("member_covers", {
  id: id(),
  groupId: groupId(),
  policyId: uuid("policy_id").notNull(),
  memberId: uuid("member_id").notNull(),
  tierId: uuid("tier_id").notNull(),
  kind: text("kind", { enum: ["covered", "suspended"] }).notNull(),
  valid: daterange("valid").notNull(),
  reason: text("reason"),
  recordedAt: instant("recorded_at").notNull(),
  supersededAt: instant("superseded_at"),
  /** Whether the kind and tier were recorded for the first day, rather than continued from the period before. */
  setsKind: boolean("sets_kind").notNull().default(true),
  setsTier: boolean("sets_tier").notNull().default(true),
})

export const dependents = pgTable("dependents", {
  id: id(),
  groupId: groupId(),
  memberId: uuid("member_id").notNull(),
  firstName: text("first_name").notNull(),
  lastName: text("last_name").notNull(),
  idNumber: text("id_number"),
  relationship: text("relationship").$type<Relationship>().notNull(),
  dateOfBirth: day("date_of_birth"),
  gender: text("gender", { enum: genders }),
  position: integer("position").notNull().default(0),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
  fromOn: day("from_on").notNull(),
  /** The last covered day, inclusive. */
  untilOn: day("until_on"),
})

/** A dependent's days of cover, read by rate tables. */
export const dependentCovers = pgTable("dependent_covers", {
  id: id(),
  groupId: groupId(),
  memberId: uuid("member_id").notNull(),
  dependentId: uuid("dependent_id").notNull(),
  relationship: text("relationship").$type<Relationship>().notNull(),
  bornOn: day("born_on"),
  valid: daterange("valid").notNull(),
  recordedAt: instant("recorded_at").notNull(),
  supersededAt: instant("superseded_at"),
})

/** Monthly salary by day. */
export const memberSalaries = pgTable("member_salaries", {
  id: id(),
  groupId: groupId(),
  memberId: uuid("member_id").notNull(),
  monthlyCents: cents("monthly_cents").notNull(),
  valid: daterange("valid").notNull(),
  recordedAt: instant("recorded_at").notNull(),
  supersededAt: instant("superseded_at"),
})

/** Former dates of birth of corrected members, written by a trigger on members. */
export const formerBirthDates = pgTable("former_birth_dates", {
  id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  groupId: groupId(),
  memberId: uuid("member_id").notNull(),
  bornOn: day("born_on"),
  supersededAt: instant("superseded_at").notNull(),
})

/** Maintained by triggers. */
export const memberCounts = pgTable("member_counts", {
  policyId: uuid("policy_id").primaryKey(),
  groupId: groupId(),
  pending: integer("pending").notNull().default(0),
  active: integer("active").notNull().default(0),
  suspended: integer("suspended").notNull().default(0),
  terminated: integer("terminated").notNull().default(0),
})

export const memberMonthEnds = pgTable("member_month_ends", {
  monthEnd: day("month_end").notNull(),
  policyId: uuid("policy_id").notNull(),
  groupId: groupId(),
  active: integer("active").notNull(),
})

/** Only for the insurer's staff. */
export const memberNotes = pgTable("member_notes", {
  id: id(),
  groupId: groupId(),
  memberId: uuid("member_id").notNull(),
  kind: text("kind", { enum: noteKinds }).notNull(),
  direction: text("direction", { enum: noteDirections }),
  person: text("person").notNull().default(""),
  contact: text("contact").notNull().default(""),
  text: text("text").notNull(),
  happenedOn: day("happened_on").notNull(),
  followUpOn: day("follow_up_on"),
  followedUpAt: instant("followed_up_at"),
  followedUpBy: uuid("followed_up_by"),
  writtenAt: instant("written_at").notNull(),
  writtenBy: uuid("written_by").notNull(),
  struckAt: instant("struck_at"),
  struckReason: text("struck_reason"),
})

/** The beneficiaries from a day until the next nomination. */
export const nominations = pgTable("nominations", {
  id: id(),
  groupId: groupId(),
  memberId: uuid("member_id").notNull(),
  fromOn: day("from_on").notNull(),
  /** The nomination that this one corrects. */
  corrects: uuid("corrects"),
  recordedBy: uuid("recorded_by").notNull(),
  recordedAt: instant("recorded_at").notNull(),
  supersededBy: uuid("superseded_by"),
  supersededAt: instant("superseded_at"),
  supersededReason: text("superseded_reason"),
})

export const nominees = pgTable("nominees", {
  id: id(),
  groupId: groupId(),
  nominationId: uuid("nomination_id").notNull(),
  position: integer("position").notNull(),
  name: text("name").notNull(),
  relationship: text("relationship").$type<NomineeRelationship>().notNull(),
  idNumber: text("id_number"),
  dateOfBirth: day("date_of_birth"),
  phone: text("phone").notNull().default(""),
  email: text("email").notNull().default(""),
  bank: text("bank").notNull().default(""),
  branchCode: text("branch_code").notNull().default(""),
  accountNumber: text("account_number").notNull().default(""),
  shareBasisPoints: integer("share_basis_points").notNull(),
})

export const nominationDocuments = pgTable("nomination_documents", {
  id: id(),
  groupId: groupId(),
  nominationId: uuid("nomination_id").notNull(),
  documentType: text("document_type").$type<NominationDocumentType>().notNull(),
  name: text("name").notNull(),
  fileId: uuid("file_id").notNull(),
  uploadedBy: uuid("uploaded_by").notNull(),
  uploadedAt: instant("uploaded_at").notNull(),
})
