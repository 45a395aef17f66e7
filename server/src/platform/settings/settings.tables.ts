import { boolean, integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core"
import { bytes, instant } from "../database/columns.ts"

export const settingsTable = pgTable("settings", {
  key: text("key").primaryKey(),
  value: jsonb("value").notNull(),
  version: integer("version").notNull().default(1),
  savedAt: instant("saved_at").notNull(),
  savedBy: uuid("saved_by"),
})

export const organisationLogo = pgTable("organisation_logo", {
  one: boolean("one").primaryKey().default(true),
  fileName: text("file_name").notNull(),
  mime: text("mime").notNull(),
  width: integer("width").notNull(),
  height: integer("height").notNull(),
  image: bytes("image").notNull(),
  savedAt: instant("saved_at").notNull(),
  savedBy: uuid("saved_by"),
})
