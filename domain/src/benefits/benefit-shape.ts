import { z } from "zod"
import { cents } from "../kernel/money-shape.ts"
import { line, text } from "../kernel/text-shape.ts"
import { claimTypes } from "./claim-type.ts"
import { standardVatPercent } from "./vat.ts"
import { vatRates } from "./vat-shape.ts"

const name = line(100, "Use at most 100 characters for the name").min(1, "Name is required")

const description = text(1000, "Use at most 1000 characters for the description").default("")

/** Name required, description optional. */
export const namedFields = z.object({ name, description })

export const benefitFields = namedFields.extend({
  claimTypes: z
    .array(z.enum(claimTypes))
    .min(1, "Choose at least one claim type")
    .max(claimTypes.length)
    .refine((types) => new Set(types).size === types.length, "Choose each claim type only once")
    .default([...claimTypes]),
})

export const productTypeFields = namedFields.extend({
  vatRates: vatRates.default([{ from: null, percent: standardVatPercent }]),
})

/**
 * Cost and cover in cents, whole percentage; blank means 0. Cover 0 means no maximum; percentage 0 means 100. The cost
 * is informational: premiums do not use it.
 */
export const productBenefitFields = z.object({
  productTypeId: z.uuid("Choose a product type"),
  benefitId: z.uuid("Choose a benefit"),
  tierId: z.uuid("Choose a benefit tier"),
  costCents: cents.min(0, "The cost cannot be negative").max(100_000_000_000).default(0),
  coverAmountCents: cents.min(0, "The cover amount cannot be negative").max(100_000_000_000).default(0),
  coverPercentage: z
    .int("Enter a whole number from 0 to 100")
    .min(0, "Enter a whole number from 0 to 100")
    .max(100, "Enter a whole number from 0 to 100")
    .default(0),
})
