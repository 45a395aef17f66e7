import { emptyMember, type MemberDraft, type MemberStep } from "@milkwood/domain/members/member-form"
import type { DependentInput } from "@milkwood/domain/members/member-shape"
import type { MemberDetail } from "@milkwood/domain/members/members.contract"
import { invalidFields } from "../platform/errors.ts"

/** What the form starts with. */
export function draftOf(member: MemberDetail | undefined, policyId?: string): MemberDraft {
  if (!member) return { ...emptyMember, policyId: policyId ?? null }
  const { personal, contact, employment, dependents, policy, tierId, startOn } = member
  return {
    ...personal,
    idNumber: personal.idNumber ?? "",
    passportNumber: personal.passportNumber ?? "",
    ...contact,
    ...employment,
    policyId: policy.id,
    tierId,
    startOn,
    monthlyCents: null,
    dependents,
  }
}

/** The input fields of a dependent. A dependent read from the server has more, such as the year of birth. */
export function dependentInput(shown: DependentInput): DependentInput {
  const { id, firstName, lastName, idNumber, relationship, dateOfBirth, gender, fromOn, untilOn } = shown
  return { id, firstName, lastName, idNumber, relationship, dateOfBirth, gender, fromOn, untilOn }
}

/** The form as the commands take it, section by section. */
export function sectionsOf(draft: MemberDraft) {
  const { firstName, lastName, idNumber, passportNumber, dateOfBirth, gender } = draft
  const { email, phone, address, employmentStatus, employer, jobTitle, employeeNumber, dependents } = draft
  return {
    personal: { firstName, lastName, idNumber, passportNumber, dateOfBirth, gender },
    contact: { email, phone, address },
    employment: { employmentStatus, employer, jobTitle, employeeNumber },
    dependents: dependents.map(dependentInput),
  }
}

const stepOfField: Partial<Record<keyof MemberDraft, MemberStep>> = {
  firstName: "personal",
  lastName: "personal",
  idNumber: "personal",
  passportNumber: "personal",
  dateOfBirth: "personal",
  gender: "personal",
  email: "contact",
  phone: "contact",
  address: "contact",
  employmentStatus: "employment",
  employer: "employment",
  jobTitle: "employment",
  employeeNumber: "employment",
  policyId: "policy",
  tierId: "policy",
  startOn: "policy",
  monthlyCents: "policy",
}

/** The fields that a refusal names, by their names on the form, and the step of the first of them. */
export function refusedFields(error: unknown): { errors: Record<string, string>; step: MemberStep } | undefined {
  const fields = invalidFields(error).map(({ path, message }) => ({
    path: path.replace(/^(personal|contact|employment|allocation)\./, ""),
    message,
  }))
  const first = fields[0]
  if (!first) return undefined
  return {
    errors: Object.fromEntries(fields.map(({ path, message }) => [path, message])),
    step: stepOfField[first.path as keyof MemberDraft] ?? "dependents",
  }
}
