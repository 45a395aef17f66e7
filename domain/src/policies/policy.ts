import { z } from "zod"
import { day } from "../kernel/calendar.ts"
import { cents } from "../kernel/money.ts"
import { emailOrNothing, line, phoneOrNothing, text } from "../kernel/text.ts"
import { type PolicyStatus, policyStatuses } from "./policy-statuses.ts"

export * from "./policy-statuses.ts"

export const policyStatus = z.enum(policyStatuses)

export const coverageTypes = ["life", "health", "disability", "comprehensive"] as const
export type CoverageType = (typeof coverageTypes)[number]

/** Who the policy is for and when it runs; days are inclusive on both ends. */
export const policyInformation = z.object({
  /** The employer group's name; changing it renames the group on all its policies. */
  groupName: line(200).min(1, "Give the group a name"),
  description: text(2_000),
  productTypeId: z.uuid().nullable(),
  startOn: day.nullable(),
  endOn: day.nullable(),
})
export type PolicyInformation = z.infer<typeof policyInformation>

/** What is insured and what it costs. Money in cents. */
export const policyCoverage = z.object({
  coverageType: z.enum(coverageTypes).nullable(),
  /** What one member costs a month. */
  premiumCents: cents.min(0, "The premium cannot be negative").max(100_000_000, "The premium is too high"),
  sumAssuredCents: cents.min(0, "The sum assured cannot be negative").max(1_000_000_000_000).nullable(),
  waitingPeriodMonths: z.int().min(0, "At least 0 months").max(120, "At most 120 months"),
})
export type PolicyCoverage = z.infer<typeof policyCoverage>

/** Whom invoices and questions go to. */
export const policyContact = z.object({
  contactName: line(200),
  contactEmail: emailOrNothing,
  contactPhone: phoneOrNothing,
  contactCell: phoneOrNothing,
  contactPosition: line(120),
  companyVatNumber: line(40),
  /** The buyer's address on the invoice. */
  companyAddress: text(500),
  contactNotes: text(2_000),
})
export type PolicyContact = z.infer<typeof policyContact>

/** The three sections that are edited one at a time (specification 1, policy detail). */
export const policySections = ["information", "coverage", "contact"] as const
export type PolicySection = (typeof policySections)[number]

/** Everything a rule about a policy reads. */
export interface Policy extends PolicyInformation, PolicyCoverage, PolicyContact {
  id: string
  groupId: string
  number: string
  status: PolicyStatus
  terminatedOn: string | null
  version: number
}

/** Wording of the fields, for lists of what is missing and for the trail of changes. */
export const policyLabels: Record<string, string> = {
  groupName: "Group name",
  description: "Description",
  productTypeId: "Product type",
  productType: "Product type",
  premiumFromOn: "New premium applies from",
  startOn: "Start date",
  endOn: "End date",
  coverageType: "Coverage type",
  premiumCents: "Premium",
  sumAssuredCents: "Sum assured",
  waitingPeriodMonths: "Waiting period",
  contactName: "Contact name",
  contactEmail: "Contact e-mail",
  contactPhone: "Telephone",
  contactCell: "Cell phone",
  contactPosition: "Position",
  companyVatNumber: "Company VAT number",
  companyAddress: "Company address",
  contactNotes: "Notes",
}
