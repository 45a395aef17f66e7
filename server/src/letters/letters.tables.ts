import type { LetterKind, LetterWording } from "@milkwood/domain/letters/letter"
import { integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core"
import { day, groupId, id, instant } from "../platform/database/columns.ts"

/** Rows cannot be changed; each edit is a new version. */
export const letterTemplateVersions = pgTable("letter_templates", {
  kind: text("kind").$type<LetterKind>().notNull(),
  version: integer("version").notNull(),
  title: text("title").notNull(),
  text: text("text").notNull(),
  savedAt: instant("saved_at").notNull(),
  savedBy: uuid("saved_by").notNull(),
})

/** Only for the insurer's staff. Rows cannot be changed, except when the member is made anonymous. */
export const letters = pgTable("letters", {
  id: id(),
  groupId: groupId(),
  number: text("number").notNull(),
  kind: text("kind").$type<LetterKind>().notNull(),
  claimId: uuid("claim_id"),
  memberId: uuid("member_id"),
  policyId: uuid("policy_id"),
  payoutId: uuid("payout_id"),
  writtenOn: day("written_on").notNull(),
  templateVersion: integer("template_version").notNull(),
  wording: jsonb("wording").$type<LetterWording>(),
  fileId: uuid("file_id"),
  writtenAt: instant("written_at").notNull(),
  writtenBy: uuid("written_by").notNull(),
})

export const letterMails = pgTable("letter_mails", {
  mailId: uuid("mail_id").primaryKey(),
  groupId: groupId(),
  letterId: uuid("letter_id").notNull(),
  toAddress: text("to_address").notNull(),
  sentAt: instant("sent_at").notNull(),
  sentBy: uuid("sent_by").notNull(),
})
