import type { PersonFileState } from "@milkwood/domain/privacy/person-file"
import type { RetentionCounts } from "@milkwood/domain/privacy/retention"
import { bigint, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core"
import { day, groupId, id, instant } from "../platform/database/columns.ts"

export const personFiles = pgTable("person_files", {
  id: id(),
  groupId: groupId(),
  memberId: uuid("member_id").notNull(),
  jobId: uuid("job_id").notNull(),
  state: text("state").$type<PersonFileState>().notNull().default("making"),
  askedBy: uuid("asked_by").notNull(),
  askedAt: instant("asked_at").notNull(),
  finishedAt: instant("finished_at"),
  fileId: uuid("file_id"),
  size: bigint("size", { mode: "number" }),
  sha256: text("sha256"),
  message: text("message"),
  ticket: uuid("ticket"),
  ticketOf: uuid("ticket_of"),
})

/** People removed from a draft before they were insured: their audit trail key has no member. */
export const removedPeople = pgTable("removed_people", {
  personId: uuid("person_id").primaryKey(),
  seenOn: day("seen_on").notNull(),
})

/** One row per night with due data: the counts due and removed. */
export const retentionRuns = pgTable("retention_runs", {
  id: id(),
  shownAt: instant("shown_at").notNull(),
  today: day("today").notNull(),
  years: integer("years").notNull(),
  due: jsonb("due").$type<RetentionCounts>().notNull(),
  removed: jsonb("removed").$type<RetentionCounts>().notNull().default({}),
  state: text("state", { enum: ["shown", "removing", "done"] })
    .notNull()
    .default("shown"),
  confirmedBy: uuid("confirmed_by"),
  confirmedAt: instant("confirmed_at"),
  finishedAt: instant("finished_at"),
})
