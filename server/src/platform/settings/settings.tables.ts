import { integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core"
import { instant } from "../database/columns.ts"

export const settingsTable = pgTable("settings", {
  key: text("key").primaryKey(),
  value: jsonb("value").notNull(),
  version: integer("version").notNull().default(1),
  savedAt: instant("saved_at").notNull(),
  savedBy: uuid("saved_by"),
})
