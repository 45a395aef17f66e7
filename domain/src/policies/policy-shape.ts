import { z } from "zod"
import { groupName } from "../employers/employer-shape.ts"
import { firstOfMonth } from "../kernel/calendar.ts"
import { day } from "../kernel/calendar-shape.ts"
import { inputShapes } from "../kernel/declared-field-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { endRules } from "./end-rule.ts"
import { policyStatuses } from "./policy.ts"
import { policyFields } from "./policy-fields.ts"

export const policyStatus = z.enum(policyStatuses)

/** Days are inclusive on both ends. */
export const policyInformation = z.object({
  /** Changing it renames the group on all its policies. */
  groupName,
  ...inputShapes(policyFields, "information"),
  productTypeId: z.uuid().nullable(),
  startOn: day.nullable(),
  endOn: day.nullable(),
})

export type PolicyInformation = z.infer<typeof policyInformation>

/** Money in cents. */
export const policyCoverage = z.object({
  ...inputShapes(policyFields, "coverage"),
  /** Per member and month. */
  premiumCents: cents.min(0, "The premium cannot be negative").max(100_000_000, "The premium is too high"),
  sumAssuredCents: cents.min(0, "The sum assured cannot be negative").max(1_000_000_000_000).nullable(),
  waitingPeriodMonths: z.int().min(0, "At least 0 months").max(120, "At most 120 months"),
})

export type PolicyCoverage = z.infer<typeof policyCoverage>

export const policyTerms = z.object({
  /** First month that Milkwood bills, as any of its days; null means the month of the policy's start. */
  billedFromOn: day.nullable().transform((on) => on && firstOfMonth(on)),
  endRule: z.enum(endRules),
  /** Payment term of an invoice, in days from its date. */
  dueDays: z.int("Enter a number of days").min(0, "At least 0 days").max(120, "At most 120 days"),
  /** Day of each month by which the employer sends its staff list; null: none is expected; omitted: unchanged. */
  staffListDay: z
    .int("Enter a day of the month")
    .min(1, "Enter a day from 1 to 28")
    .max(28, "Enter a day from 1 to 28")
    .nullable()
    .optional(),
})

export type PolicyTerms = z.infer<typeof policyTerms>

export const policyContact = z.object(inputShapes(policyFields, "contact"))

export type PolicyContact = z.infer<typeof policyContact>
