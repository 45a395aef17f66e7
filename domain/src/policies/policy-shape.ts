import { z } from "zod"
import { groupName } from "../employers/employer-shape.ts"
import { firstOfMonth } from "../kernel/calendar.ts"
import { day } from "../kernel/calendar-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { emailOrNothing, line, phoneOrNothing, text } from "../kernel/text-shape.ts"
import { endRules } from "./end-rule.ts"
import { coverageTypes, policyStatuses } from "./policy.ts"

export const policyStatus = z.enum(policyStatuses)

/** Who the policy is for and when it runs; days are inclusive on both ends. */
export const policyInformation = z.object({
  /** The employer group's name; changing it renames the group on all its policies. */
  groupName,
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

/** On which terms it is billed. */
export const policyTerms = z.object({
  /** The first month that is owed here, by any of its days; null: that of the policy's start. */
  billedFromOn: day.nullable().transform((on) => on && firstOfMonth(on)),
  /** What a month owes in which cover ends. */
  endRule: z.enum(endRules),
  /** Within how many days of its date an invoice is to be paid. */
  dueDays: z.int("Give a number of days").min(0, "At least 0 days").max(120, "At most 120 days"),
})

export type PolicyTerms = z.infer<typeof policyTerms>

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
