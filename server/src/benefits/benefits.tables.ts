import { claimTypes } from "@milkwood/domain/benefits/claim-type"
import type { VatClass } from "@milkwood/domain/benefits/vat"
import { boolean, integer, numeric, pgTable, text, uuid } from "drizzle-orm/pg-core"
import { cents, day, id, instant, version } from "../platform/database/columns.ts"

const namedTableColumns = () => ({
  id: id(),
  name: text("name").notNull(),
  description: text("description").notNull().default(""),
  createdAt: instant("created_at").notNull(),
  version: version(),
})

export const benefitTiers = pgTable("benefit_tiers", {
  ...namedTableColumns(),
  position: integer("position").notNull(),
})
export const productTypes = pgTable("product_types", {
  ...namedTableColumns(),
  isFuneral: boolean("is_funeral").notNull().default(false),
})
export const benefits = pgTable("benefits", {
  ...namedTableColumns(),
  claimTypes: text("claim_types", { enum: claimTypes })
    .array()
    .notNull()
    .default([...claimTypes]),
})

export const productTypeVatRates = pgTable("product_type_vat_rates", {
  productTypeId: uuid("product_type_id").notNull(),
  /** Null is the first rate, which applies before all others. */
  fromOn: day("from_on"),
  percent: numeric("percent", { precision: 5, scale: 2, mode: "number" }).notNull(),
  class: text("class").$type<VatClass>().notNull(),
  recordedAt: instant("recorded_at").notNull(),
  supersededAt: instant("superseded_at"),
})

export const productBenefits = pgTable("product_benefits", {
  id: id(),
  productTypeId: uuid("product_type_id").notNull(),
  benefitId: uuid("benefit_id").notNull(),
  tierId: uuid("tier_id").notNull(),
  costCents: cents("cost_cents").notNull().default(0),
  createdAt: instant("created_at").notNull(),
  version: version(),
})
