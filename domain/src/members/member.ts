import { z } from "zod"
import { day } from "../kernel/calendar.ts"
import { emailOrNothing, line, oneLine, phoneOrNothing, text } from "../kernel/text.ts"
import { memberStatuses } from "./member-statuses.ts"

export * from "./member-statuses.ts"

export const memberStatus = z.enum(memberStatuses)

export const genders = ["male", "female", "other"] as const
export type Gender = (typeof genders)[number]

export const employmentStatuses = ["employed", "self-employed", "unemployed", "retired", "student"] as const
export type EmploymentStatus = (typeof employmentStatuses)[number]

export const relationships = ["spouse", "child", "other"] as const
export type Relationship = (typeof relationships)[number]

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
})
export type DependentInput = z.infer<typeof dependentInput>

/** Fields that are to be known of everybody and may be missing at first, in the order of the form. */
export const completable = ["idNumber", "email", "phone", "employmentStatus"] as const
export type Completable = (typeof completable)[number]

/**
 * What is still to be asked for: fields that this record lacks. A passport number stands in for
 * an ID number. (product: Members; such a row is marked "to complete", not refused.)
 */
export function toComplete(member: {
  idNumber: string | null
  passportNumber: string | null
  email: string
  phone: string
  employmentStatus: EmploymentStatus | null
}): Completable[] {
  const has: Record<Completable, boolean> = {
    idNumber: Boolean(member.idNumber || member.passportNumber),
    email: member.email !== "",
    phone: member.phone !== "",
    employmentStatus: member.employmentStatus !== null,
  }
  return completable.filter((field) => !has[field])
}

/** An ID or passport number as those may see it who must not read it: only its last three characters. */
export function maskIdentity(number: string | null): string | null {
  return number === null ? null : `${"•".repeat(Math.max(number.length - 3, 0))}${number.slice(-3)}`
}
