import type { CallOutcome, ContactKind } from "@milkwood/domain/collection/collection"
import { pgTable, text, uuid } from "drizzle-orm/pg-core"
import { cents, day, groupId, id, instant } from "../platform/database/columns.ts"

/** Calls, and mails that were sent, about what a policy owes. */
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
