import { z } from "zod"
import { type CoverGap, coverGapText, type InsuredKind } from "../benefits/benefit-terms.ts"
import type { Day } from "../kernel/calendar.ts"
import { day } from "../kernel/calendar-shape.ts"
import { homeCountry, isCountry } from "../kernel/country.ts"
import { cents } from "../kernel/money-shape.ts"
import type { FieldError } from "../kernel/procedure.ts"
import { line, text } from "../kernel/text-shape.ts"
import type { ClaimStep } from "./claim.ts"
import { type ClaimContent, type ClaimType, causesOfDeath, claimTypeNames, claimTypes } from "./claim.ts"

export type { ClaimStep } from "./claim.ts"

/** R 1 000 000 000,00: a larger amount is a typing error. */
export const maxClaimAmountCents = 100_000_000_000

const amount = cents.min(0, "An amount cannot be negative").max(maxClaimAmountCents, "This amount is too large")

/**
 * The content of a draft: fields may be missing, but present ones are valid. Unknown fields are refused, so that a
 * caller cannot set a status or an approved amount.
 */
export const claimContent = z.strictObject({
  memberId: z.uuid(),
  dependentId: z.uuid().nullable().default(null),
  benefitId: z.uuid().nullable(),
  claimType: z.enum(claimTypes).nullable(),
  incidentOn: day.nullable(),
  notificationOn: day.nullable(),
  claimAmountCents: amount.nullable(),
  requestedAmountCents: amount.nullable(),
  causeOfDeath: z.enum(causesOfDeath).nullable().default(null),
  description: text(5_000),
  diagnosis: text(2_000),
  hospitalName: line(200),
  doctorName: line(200),
  treatmentDetails: text(5_000),
  billNumber: line(60).default("").meta({ description: "Number of the bill of a medical, maternity or other claim" }),
  incidentCountry: z
    .string()
    .refine(isCountry, "Choose a country")
    .default(homeCountry)
    .meta({ description: "ISO 3166-1 alpha-2 code of the country where the incident happened" }),
}) satisfies z.ZodType<ClaimContent>

export const memberStep = z.object({
  memberId: z.uuid("Member is required"),
})

export const detailsStep = z.object({
  benefitId: z.uuid("Benefit is required"),
  claimType: z.enum(claimTypes, "Claim type is required"),
  requestedAmountCents: z
    .int("Requested amount is required")
    .min(1, "Requested amount must be above 0")
    .max(maxClaimAmountCents, "This amount is too large"),
})

export const incidentStep = z.object({
  incidentOn: z.iso.date("Incident date is required"),
  description: z.string().trim().min(1, "Description is required"),
})

export const submission = z.object({ ...memberStep.shape, ...detailsStep.shape, ...incidentStep.shape })

/** In order; Documents and Review always pass (specification 1, section 5). */
export const claimSteps = [
  { key: "member", title: "Member Selection", schema: memberStep },
  { key: "details", title: "Claim Details", schema: detailsStep },
  { key: "incident", title: "Incident Details", schema: incidentStep },
  { key: "documents", title: "Documents", schema: z.object({}) },
  { key: "review", title: "Review & Submit", schema: z.object({}) },
] as const satisfies readonly { key: ClaimStep; title: string; schema: z.ZodType }[]

export const claimFieldNames: Record<keyof ClaimContent, string> = {
  memberId: "Member",
  dependentId: "Insured person",
  benefitId: "Benefit",
  claimType: "Claim type",
  incidentOn: "Incident date",
  notificationOn: "Notification date",
  claimAmountCents: "Claim amount",
  requestedAmountCents: "Requested amount",
  causeOfDeath: "Cause of death",
  description: "Description",
  diagnosis: "Diagnosis",
  hospitalName: "Hospital",
  doctorName: "Doctor",
  treatmentDetails: "Treatment details",
  billNumber: "Bill number",
  incidentCountry: "Country of incident",
}

/** The field errors of a step; the user may continue if there are none. */
export function stepErrors(step: ClaimStep, content: Partial<ClaimContent>): FieldError[] {
  const schema: z.ZodType = claimSteps.find(({ key }) => key === step)!.schema
  return schemaErrorsOf(schema, content)
}

export interface ChosenBenefit {
  name: string
  claimTypes: readonly ClaimType[]
  tier: string
  productType: string | null
  /** Why the benefit pays nothing for the insured person; null if it does. */
  gap: CoverGap | null
  insured: InsuredKind
}

/** Missing facts can still be recorded before the decision, so they do not prevent submission. */
const missingFacts: readonly (CoverGap | null)[] = ["birth date", "salary"]

/** Errors for a benefit that does not insure the person, or that does not pay claims of this type. */
export function benefitErrors({ claimType }: Pick<ClaimContent, "claimType">, benefit: ChosenBenefit): FieldError[] {
  const { name, claimTypes, tier, productType, gap, insured } = benefit
  if (gap === "product") {
    const product = productType ? `The product type ${productType}` : "The policy’s product type"
    return [
      { path: "benefitId", message: `${product} does not include ${name} for the ${tier} tier on the incident date` },
    ]
  }
  if (gap !== null && !missingFacts.includes(gap)) {
    return [{ path: "benefitId", message: coverGapText(gap, insured).replace(/\.$/, "") }]
  }
  if (claimType === null || claimTypes.includes(claimType)) return []
  const paid = claimTypes.map((type) => claimTypeNames[type].toLowerCase())
  const message = `${name} does not cover ${claimTypeNames[claimType].toLowerCase()} claims. It covers: ${paid.join(", ")}`
  return [{ path: "claimType", message }]
}

/** The chosen benefit and dependent, for submission. Each is null until it and the incident date are chosen. */
export interface ChosenCover {
  benefit: ChosenBenefit | null
  /** The dependent's cover on the incident date; null for the member. */
  dependent: { name: string; isCovered: boolean } | null
}

/**
 * All field errors that prevent submission today: missing fields, impossible days, a wrong benefit, a dependent without
 * cover.
 */
export function submissionErrors(content: ClaimContent, today: Day, { benefit, dependent }: ChosenCover): FieldError[] {
  const errors = schemaErrorsOf(submission, content)
  if (dependent && !dependent.isCovered) {
    errors.push({ path: "dependentId", message: `${dependent.name} was not covered on the incident date` })
  } else if (benefit) errors.push(...benefitErrors(content, benefit))
  const { incidentOn, notificationOn } = content
  if (incidentOn && incidentOn > today) {
    errors.push({ path: "incidentOn", message: "The incident date cannot be in the future" })
  }
  if (notificationOn && notificationOn > today) {
    errors.push({ path: "notificationOn", message: "The notification date cannot be in the future" })
  }
  if (incidentOn && notificationOn && notificationOn < incidentOn) {
    errors.push({ path: "notificationOn", message: "The notification date cannot be before the incident date" })
  }
  return errors
}

function schemaErrorsOf(schema: z.ZodType, value: unknown): FieldError[] {
  const parsed = schema.safeParse(value)
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }))
}
