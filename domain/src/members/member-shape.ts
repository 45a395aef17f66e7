import { z } from "zod"
import { day } from "../kernel/calendar-shape.ts"
import { cents } from "../kernel/money-shape.ts"
import { oneLine } from "../kernel/text.ts"
import { emailOrNothing, line, phoneOrNothing, text } from "../kernel/text-shape.ts"
import { employmentStatuses, genders, highestSalary, memberStatuses, relationships } from "./member.ts"

export const memberStatus = z.enum(memberStatuses)

const name = (what: string) => line(120).min(1, `Give the ${what}`)

/** An ID or passport number; nothing typed is null. Its rules are in member-identity. */
const identity = z
  .string()
  .transform((written) => oneLine(written).replaceAll(" ", ""))
  .pipe(z.string().max(40, "At most 40 characters"))
  .transform((number) => number || null)
  .nullable()

/** Step 1. A South African ID number, or a passport number for those who have none. */
export const memberPersonal = z.object({
  firstName: name("first name"),
  lastName: name("last name"),
  idNumber: identity,
  passportNumber: identity,
  dateOfBirth: day.nullable(),
  gender: z.enum(genders).nullable(),
})

export type MemberPersonal = z.infer<typeof memberPersonal>

/** Step 2. */
export const memberContact = z.object({ email: emailOrNothing, phone: phoneOrNothing, address: text(500) })

export type MemberContact = z.infer<typeof memberContact>

/** Step 3. */
export const memberEmployment = z.object({
  employmentStatus: z.enum(employmentStatuses).nullable(),
  employer: line(200),
  jobTitle: line(120),
  /** The employer's number of the member, once in a policy; left out, it stays. */
  employeeNumber: line(40).optional(),
})

export type MemberEmployment = z.infer<typeof memberEmployment>

/** Step 5: one person insured through the member. An `id` says which of the stored ones it is; a new one has none. */
export const dependentInput = z.object({
  id: z.uuid().optional(),
  firstName: name("first name"),
  lastName: name("last name"),
  idNumber: identity,
  relationship: z.enum(relationships, "Choose the relationship"),
  dateOfBirth: day.nullable(),
  gender: z.enum(genders).nullable(),
  /** The first day of cover; left out, that of the member, or today where somebody is added to one who is covered. */
  fromOn: day.nullable().optional(),
  /** The last day of cover, null without an end; left out, it stays. */
  untilOn: day.nullable().optional(),
})

export type DependentInput = z.infer<typeof dependentInput>

/** What somebody earns a month, in cents. */
export const salary = cents.min(1, "A salary is above 0").max(highestSalary, "A salary is at most 10 000 000")
