import type { Day } from "../kernel/calendar.ts"
import { type Choice, choicesOf, labelsOf, type StoredValues } from "../kernel/declared-field.ts"
import type { Cents } from "../kernel/money.ts"
import type { PolicyStatus } from "../policies/policy.ts"
import { type DependentFields, dependentFields } from "./dependent-fields.ts"
import type { Cover } from "./member-cover.ts"
import { type MemberFields, memberFields } from "./member-fields.ts"

export const memberStatuses = ["Pending", "Active", "Suspended", "Terminated"] as const

export type MemberStatus = (typeof memberStatuses)[number]

export interface Member extends StoredValues<MemberFields> {
  id: string
  groupId: string
  policyId: string
  policyNumber: string
  policyStatus: PolicyStatus
  number: string
  /** Copied from today's dated row, as is `tierId`. */
  status: MemberStatus
  tierId: string
  tierName: string
  startOn: Day
  endOn: Day | null
  statusReason: string | null
  toComplete: string[]
  /** In order of days. */
  covers: readonly Cover[]
  version: number
}

export const memberLabels: Record<string, string> = {
  ...labelsOf(memberFields),
  tierId: "Benefit tier",
  tierName: "Benefit tier",
  startOn: "Start date",
  dependents: "Dependents",
  salary: "Monthly salary",
  dependentIdNumbers: "Dependents' ID numbers",
}

/** Plausibility limit per month: R 10 000 000. */
export const maxSalaryCents: Cents = 1_000_000_000

export const genders = choicesOf(memberFields.gender)

export type Gender = Choice<MemberFields["gender"]>

export type EmploymentStatus = Choice<MemberFields["employmentStatus"]>

export const relationships = choicesOf(dependentFields.relationship)

export type Relationship = Choice<DependentFields["relationship"]>

/** Within a sentence: "spouse"; "other dependent". */
export const relationshipText = (relationship: Relationship): string =>
  relationship === "other" ? "other dependent" : dependentFields.relationship.names[relationship].toLowerCase()

/** Stored for an unknown last name: a typed line may contain one word. */
export const missingLastName = "–"

/** Required of every member, but may be missing at first; in form order. */
export const completableFields = ["lastName", "idNumber", "email", "phone", "employmentStatus"] as const

export type Completable = (typeof completableFields)[number]

/**
 * Labels of missing fields. A passport number replaces the ID number. The member is marked "to complete", not refused.
 */
export function missingMemberFields(member: {
  lastName?: string
  idNumber: string | null
  passportNumber: string | null
  email: string
  phone: string
  employmentStatus: EmploymentStatus | null
}): Completable[] {
  const has: Record<Completable, boolean> = {
    lastName: member.lastName !== missingLastName,
    idNumber: Boolean(member.idNumber || member.passportNumber),
    email: member.email !== "",
    phone: member.phone !== "",
    employmentStatus: member.employmentStatus !== null,
  }
  return completableFields.filter((field) => !has[field])
}

/** Users who see masked ID numbers see only the year. */
export const birthYearOf = (day: Day | null): number | null => (day === null ? null : Number(day.slice(0, 4)))

/** Shortens a dependent's date of birth in a trail text to its year. */
export const hideBirthday = (words: string): string => words.replace(/, (\d{4})-\d\d-\d\d, covered/, ", $1, covered")

/** Only the last three characters stay readable. */
export function maskIdNumber(number: string | null): string | null {
  return number === null ? null : `${"•".repeat(Math.max(number.length - 3, 0))}${number.slice(-3)}`
}
