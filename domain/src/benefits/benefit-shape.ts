import { z } from "zod"
import { day } from "../kernel/calendar-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { line, text } from "../kernel/text-shape.ts"
import { coverYears, type DependentCover, dependentKinds, insuredKindNames } from "./benefit-terms.ts"
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
  /** Whether the rules for funeral policies apply; omitted, an edited product type keeps its value. */
  isFuneral: z.boolean().optional(),
})

const coverCents = cents.min(0, "The cover amount cannot be negative").max(100_000_000_000)
const limitCents = z
  .int()
  .min(1, "A limit must be above 0")
  .max(100_000_000_000, "This amount is too large")
  .nullable()
  .default(null)
const salaryMultiple = z
  .number()
  .min(0.01, "The salary multiple must be above 0")
  .max(999, "Use a salary multiple of at most 999")
  .multipleOf(0.01, "Use at most two decimals for the salary multiple")
  .nullable()
  .default(null)
const percentage = z
  .int("Enter a whole number from 0 to 100")
  .min(0, "Enter a whole number from 0 to 100")
  .max(100, "Enter a whole number from 0 to 100")
  .default(0)
const age = z
  .int("Enter a whole number of years")
  .min(0, "An age cannot be negative")
  .max(150, "Enter an age up to 150")

/**
 * Cover of one kind of dependent: amounts in cents, ages in whole years on the incident day, inclusive. With a salary
 * multiple the amount is 0.
 */
export const dependentCover = z.object({
  insured: z.enum(dependentKinds),
  ageFrom: age.default(0),
  ageTo: age.nullable().default(null),
  amountCents: coverCents.default(0),
  salaryMultiple,
  percentage,
  incidentLimitCents: limitCents,
  yearLimitCents: limitCents,
}) satisfies z.ZodType<DependentCover>

const oneMaximum = "Enter an amount or a salary multiple, not both"

export const dependentCovers = z
  .array(dependentCover)
  .max(20, "Use at most 20 rows")
  .superRefine((covers, context) => {
    for (const [index, cover] of covers.entries()) {
      const refuseField = (field: keyof DependentCover, message: string) =>
        context.addIssue({ code: "custom", path: [index, field], message })
      if (cover.ageTo !== null && cover.ageTo < cover.ageFrom) {
        refuseField("ageTo", "The highest age must not be below the lowest")
      }
      if (cover.salaryMultiple !== null && cover.amountCents > 0) refuseField("salaryMultiple", oneMaximum)
      const overlaps = covers
        .slice(0, index)
        .some(
          (other) =>
            other.insured === cover.insured &&
            cover.ageFrom <= (other.ageTo ?? Number.POSITIVE_INFINITY) &&
            other.ageFrom <= (cover.ageTo ?? Number.POSITIVE_INFINITY),
        )
      if (overlaps)
        refuseField("ageFrom", `Another row for ${insuredKindNames[cover.insured].toLowerCase()} has these ages`)
    }
  })

/**
 * Cost and cover in cents, whole percentage; blank means 0. Cover 0 means no maximum; percentage 0 means 100. The cost
 * is informational: premiums do not use it. `coverAmountCents` to `yearLimitCents` are the member's cover; `dependents`
 * null means that every dependent has the same.
 */
export const productBenefitFields = z.object({
  productTypeId: z.uuid("Choose a product type"),
  benefitId: z.uuid("Choose a benefit"),
  tierId: z.uuid("Choose a benefit tier"),
  costCents: cents.min(0, "The cost cannot be negative").max(100_000_000_000).default(0),
  coverAmountCents: coverCents.default(0),
  salaryMultiple,
  coverPercentage: percentage,
  incidentLimitCents: limitCents,
  yearLimitCents: limitCents,
  coverYear: z.enum(coverYears).default("calendar"),
  dependents: dependentCovers.nullable().default(null),
})

/**
 * `from`: the first incident day of changed cover; null means today. An earlier day corrects a mistake and needs a
 * reason.
 */
export const coverChange = z.object({
  from: day.nullable().default(null),
  reason: text(500, "Use at most 500 characters for the reason").default(""),
})

const startingCover = productBenefitFields
  .omit({ productTypeId: true, benefitId: true, tierId: true, costCents: true })
  .refine((fields) => hasOneMaximum(fields), { path: ["salaryMultiple"], message: oneMaximum })

const hasDuplicates = (names: readonly string[]) => new Set(names.map((one) => one.toLowerCase())).size < names.length

/** A product type with its tiers and benefits. Every tier has the same cover; a tier that exists is used. */
export const startingSetFields = z
  .object({
    productType: productTypeFields,
    tiers: z.array(name).min(1, "Enter at least one benefit tier").max(20, "Enter at most 20 benefit tiers"),
    benefits: z
      .array(benefitFields.extend({ cover: startingCover }))
      .min(1, "Choose at least one benefit")
      .max(20, "Choose at most 20 benefits"),
  })
  .superRefine(({ tiers, benefits }, context) => {
    if (hasDuplicates(tiers)) {
      context.addIssue({ code: "custom", path: ["tiers"], message: "Enter each benefit tier only once" })
    }
    for (const [index, benefit] of benefits.entries()) {
      const earlier = benefits.slice(0, index)
      if (hasDuplicates([...earlier, benefit].map((one) => one.name)) && !hasDuplicates(earlier.map((one) => one.name)))
        context.addIssue({
          code: "custom",
          path: ["benefits", index, "name"],
          message: "Another benefit of this set has this name",
        })
    }
  })

export const hasOneMaximum = ({
  salaryMultiple,
  coverAmountCents,
}: {
  salaryMultiple: number | null
  coverAmountCents: number
}): boolean => salaryMultiple === null || coverAmountCents === 0

export const oneMaximumIssue = { path: ["salaryMultiple"], message: oneMaximum }
