import type { Day } from "../kernel/calendar.ts"
import { type Choice, choicesOf, type HeldValues, labelsOf } from "../kernel/declared-field.ts"
import type { Cents } from "../kernel/money.ts"
import type { PolicyStatus } from "../policies/policy.ts"
import type { Cover } from "./member-cover.ts"
import { type MemberFields, memberFields } from "./member-fields.ts"

export const memberStatuses = ["Pending", "Active", "Suspended", "Terminated"] as const

export type MemberStatus = (typeof memberStatuses)[number]

/** Everything a rule about a member reads. */
export interface Member extends HeldValues<MemberFields> {
  id: string
  groupId: string
  policyId: string
  policyNumber: string
  policyStatus: PolicyStatus
  number: string
  /** Today's, as is the tier: copies of what the dated rows say. */
  status: MemberStatus
  tierId: string
  tierName: string
  startOn: Day
  endOn: Day | null
  statusReason: string | null
  toComplete: string[]
  /** Live rows in order of days. */
  covers: readonly Cover[]
  version: number
}

/** The labels of everything that the history and the staff lists say of a member. */
export const memberLabels: Record<string, string> = {
  ...labelsOf(memberFields),
  tierId: "Benefit tier",
  tierName: "Benefit tier",
  startOn: "Start date",
  dependents: "Dependents",
  salary: "Monthly salary",
  dependentIdNumbers: "Dependents' ID numbers",
}

/** The highest salary a month that is believed: R 10 000 000. */
export const highestSalary: Cents = 1_000_000_000

export const genders = choicesOf(memberFields.gender)

export type Gender = Choice<MemberFields["gender"]>

export type EmploymentStatus = Choice<MemberFields["employmentStatus"]>

export const relationships = ["spouse", "child", "parent", "other"] as const

export type Relationship = (typeof relationships)[number]

/** Stands in place of a last name that is not known yet: a line of text may give one word. */
export const noLastName = "–"

/** Fields that are to be known of everybody and may be missing at first, in the order of the form. */
export const completable = ["lastName", "idNumber", "email", "phone", "employmentStatus"] as const

export type Completable = (typeof completable)[number]

/**
 * What is still to be asked for: fields that this record lacks. A passport number stands in for
 * an ID number. (product: Members; such a row is marked "to complete", not refused.)
 */
export function toComplete(member: {
  lastName?: string
  idNumber: string | null
  passportNumber: string | null
  email: string
  phone: string
  employmentStatus: EmploymentStatus | null
}): Completable[] {
  const has: Record<Completable, boolean> = {
    lastName: member.lastName !== noLastName,
    idNumber: Boolean(member.idNumber || member.passportNumber),
    email: member.email !== "",
    phone: member.phone !== "",
    employmentStatus: member.employmentStatus !== null,
  }
  return completable.filter((field) => !has[field])
}

/** The year of a date of birth, which is all that those read of it who see ID numbers masked. */
export const yearOf = (day: Day | null): number | null => (day === null ? null : Number(day.slice(0, 4)))

/** The trail's words on a dependent for those who must not read dates of birth: their year alone. */
export const withoutBirthday = (words: string): string => words.replace(/, (\d{4})-\d\d-\d\d, covered/, ", $1, covered")

/** An ID or passport number as those may see it who must not read it: only its last three characters. */
export function maskIdentity(number: string | null): string | null {
  return number === null ? null : `${"•".repeat(Math.max(number.length - 3, 0))}${number.slice(-3)}`
}
