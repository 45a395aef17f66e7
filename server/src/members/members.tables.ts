import type { MemberStatus } from "@milkwood/domain/members/member"
import { sql } from "drizzle-orm"
import { integer, pgTable, text, uuid } from "drizzle-orm/pg-core"
import { day, groupId, id, instant, version } from "../platform/database/columns.ts"
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
  tierId: uuid("tier_id").notNull(),
  status: text("status", { enum: ["Pending", "Active", "Suspended", "Terminated"] })
    .notNull()
    .default("Pending"),
  startOn: day("start_on").notNull(),
  endOn: day("end_on"),
  /** Why membership ends; the reasons of suspensions stand with their covers. */
  statusReason: text("status_reason"),
  toComplete: text("to_complete").array().notNull().default([]),
  // Search columns, written by the database alone.
  nameKey: text("name_key").notNull().generatedAlwaysAs(sql`lower(first_name || ' ' || last_name)`),
  lastNameKey: text("last_name_key").notNull().generatedAlwaysAs(sql`lower(last_name)`),
  searchKey: text("search_key").notNull().generatedAlwaysAs(sql`names, numbers and address, one a line`),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
  version: version(),
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
})

export const dependents = pgTable("dependents", {
  id: id(),
  groupId: groupId(),
  memberId: uuid("member_id").notNull(),
  firstName: text("first_name").notNull(),
  lastName: text("last_name").notNull(),
  idNumber: text("id_number"),
  relationship: text("relationship", { enum: ["spouse", "child", "other"] }).notNull(),
  dateOfBirth: day("date_of_birth"),
  gender: text("gender", { enum: genders }),
  position: integer("position").notNull().default(0),
  createdAt: instant("created_at").notNull(),
  updatedAt: instant("updated_at").notNull(),
})

/** How many members of each status a policy has; kept by the database. */
export const memberCounts = pgTable("member_counts", {
  policyId: uuid("policy_id").notNull(),
  groupId: groupId(),
  status: text("status").$type<MemberStatus>().notNull(),
  members: integer("members").notNull(),
})

/** How many of a policy's members were Active at the end of a month. */
export const memberMonthEnds = pgTable("member_month_ends", {
  monthEnd: day("month_end").notNull(),
  policyId: uuid("policy_id").notNull(),
  groupId: groupId(),
  active: integer("active").notNull(),
})
