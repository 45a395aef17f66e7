import type { ContactPurpose } from "@milkwood/domain/employers/employer-contact"
import { sql } from "drizzle-orm"
import { integer, pgTable, text } from "drizzle-orm/pg-core"
import { day, groupId, id, instant, version } from "../platform/database/columns.ts"

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

export const employerContacts = pgTable("employer_contacts", {
  id: id(),
  groupId: groupId(),
  name: text("name").notNull(),
  position: text("position").notNull().default(""),
  email: text("email").notNull().default(""),
  phone: text("phone").notNull().default(""),
  cell: text("cell").notNull().default(""),
  purposes: text("purposes").array().$type<ContactPurpose[]>().notNull(),
  version: version(),
  createdAt: instant("created_at").notNull(),
})
