import { z } from "zod"
import { cents } from "../kernel/money-shape.ts"
import { line, text } from "../kernel/text-shape.ts"
import { claimTypes } from "./claim-type.ts"
import { standardVatPercent } from "./vat.ts"
import { vatRates } from "./vat-shape.ts"

const name = line(100, "A name has at most 100 characters").min(1, "Name is required")

const description = text(1000, "A description has at most 1000 characters").default("")

/** The dialog "Add/Edit Tier": name required, description optional. */
export const namedFields = z.object({ name, description })

/** The dialog "Add/Edit Benefit": as for a tier, with the claim types that the benefit pays; all of them unless it says. */
export const benefitFields = namedFields.extend({
  claimTypes: z
    .array(z.enum(claimTypes))
    .min(1, "Choose the claim types that it pays")
    .max(claimTypes.length)
    .refine((types) => new Set(types).size === types.length, "Name each claim type once")
    .default([...claimTypes]),
})

/** The dialog "Add/Edit Product Type": as for a benefit, with the product type's dated VAT rates. */
export const productTypeFields = namedFields.extend({
  vatRates: vatRates.default([{ from: null, percent: standardVatPercent }]),
})

/**
 * The dialog "Add/Edit Product Benefit": what members of a tier get from a benefit under a product type. Cost and
 * cover are cents, the percentage a whole number; blank is 0. A cover amount of 0 means no maximum, a percentage of 0 means
 * not set, which is 100. The cost is for information, premiums do not follow it.
 */
export const productBenefitFields = z.object({
  productTypeId: z.uuid("Choose a product type"),
  benefitId: z.uuid("Choose a benefit"),
  tierId: z.uuid("Choose a benefit tier"),
  costCents: cents.min(0, "A cost is not negative").max(100_000_000_000).default(0),
  coverAmountCents: cents.min(0, "A cover amount is not negative").max(100_000_000_000).default(0),
  coverPercentage: z
    .int("A percentage is a whole number from 0 to 100")
    .min(0, "A percentage is a whole number from 0 to 100")
    .max(100, "A percentage is a whole number from 0 to 100")
    .default(0),
})
