import type { CalendarStep, CalendarTask } from "@milkwood/domain/collection/calendar"
import type { CallOutcome, ContactKind } from "@milkwood/domain/collection/collection"
import { pgTable, text, uuid } from "drizzle-orm/pg-core"
import { cents, day, groupId, id, instant } from "../platform/database/columns.ts"

export const premiumContacts = pgTable("premium_contacts", {
  id: id(),
  groupId: groupId(),
  policyId: uuid("policy_id").notNull(),
  kind: text("kind").$type<ContactKind>().notNull(),
  outcome: text("outcome").$type<CallOutcome>(),
  promisedCents: cents("promised_cents"),
  promisedOn: day("promised_on"),
  note: text("note").notNull().default(""),
  run: text("run"),
  sentTo: text("sent_to"),
  mailId: uuid("mail_id"),
  madeAt: instant("made_at").notNull(),
  madeBy: uuid("made_by"),
})

export const premiumCalendar = pgTable("premium_calendar", {
  task: text("task").$type<CalendarTask>().notNull(),
  month: day("month").notNull(),
  dueOn: day("due_on").notNull(),
  outcome: text("outcome").$type<CalendarStep>().notNull(),
  doneAt: instant("done_at").notNull(),
})
