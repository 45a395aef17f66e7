import { sql } from "drizzle-orm"
import { pgTable, text } from "drizzle-orm/pg-core"
import { groupId, id, instant } from "../platform/database/columns.ts"

export const employerGroups = pgTable("employer_groups", {
  id: id(),
  groupId: groupId().generatedAlwaysAs(sql`id`),
  name: text("name").notNull(),
  createdAt: instant("created_at").notNull(),
})
