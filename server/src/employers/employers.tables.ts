import { sql } from "drizzle-orm"
import { pgTable, text } from "drizzle-orm/pg-core"
import { groupId, id, instant } from "../platform/database/columns.ts"

export const employerGroups = pgTable("employer_groups", {
  id: id(),
  groupId: groupId().generatedAlwaysAs(sql`id`),
  name: text("name").notNull(),
  nameKey: text("name_key").notNull().generatedAlwaysAs(sql`lower(name)`),
  createdAt: instant("created_at").notNull(),
})
