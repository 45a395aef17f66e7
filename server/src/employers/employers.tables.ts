import { sql } from "drizzle-orm"
import { integer, pgTable, text } from "drizzle-orm/pg-core"
import { day, groupId, id, instant } from "../platform/database/columns.ts"

export const employerGroups = pgTable("employer_groups", {
  id: id(),
  groupId: groupId().generatedAlwaysAs(sql`id`),
  name: text("name").notNull(),
  registrationNumber: text("registration_number").notNull().default(""),
  vatNumber: text("vat_number").notNull().default(""),
  phone: text("phone").notNull().default(""),
  address: text("address").notNull().default(""),
  postalAddress: text("postal_address").notNull().default(""),
  closedOn: day("closed_on"),
  closedReason: text("closed_reason"),
  version: integer("version").notNull().default(1),
  createdAt: instant("created_at").notNull(),
})
