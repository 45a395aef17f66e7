import { namesIn, pick } from "@milkwood/domain/kernel/declared-field"
import { dependentFieldNames } from "@milkwood/domain/members/dependent-fields"
import { type MemberSection, memberField, memberFields } from "@milkwood/domain/members/member-fields"
import { emptyMember, type MemberDraft, type MemberStep } from "@milkwood/domain/members/member-form"
import type { DependentInput } from "@milkwood/domain/members/member-shape"
import type { MemberDetail } from "@milkwood/domain/members/members.contract"
import { invalidFieldsOf } from "../platform/errors.ts"

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

/** Drops extra fields of the server's dependents, such as the year of birth. */
export function toDependentInput(shown: DependentInput): DependentInput {
  return pick(shown, ["id", ...dependentFieldNames, "fromOn", "untilOn"])
}

export function sectionsOf(draft: MemberDraft) {
  const section = <Name extends MemberSection>(name: Name) => pick(draft, namesIn(memberFields, name))
  return {
    personal: section("personal"),
    contact: section("contact"),
    employment: section("employment"),
    dependents: draft.dependents.map(toDependentInput),
  }
}

const stepOfField = (field: string): MemberStep =>
  memberField(field)?.section ??
  (["policyId", "tierId", "startOn", "monthlyCents"].includes(field) ? "policy" : "dependents")

/** The refused fields by their form names, and the step of the first one. */
export function refusedFieldsOf(error: unknown): { errors: Record<string, string>; step: MemberStep } | undefined {
  const fields = invalidFieldsOf(error).map(({ path, message }) => ({
    path: path.replace(/^(personal|contact|employment|allocation)\./, ""),
    message,
  }))
  const first = fields[0]
  if (!first) return undefined
  return {
    errors: Object.fromEntries(fields.map(({ path, message }) => [path, message])),
    step: stepOfField(first.path),
  }
}
