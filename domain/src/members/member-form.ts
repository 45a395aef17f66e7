import { type DraftValues, emptyDraft, namesIn } from "../kernel/declared-field.ts"
import { type MemberFields, memberField, memberFields } from "./member-fields.ts"
import type { DependentInput } from "./member-shape.ts"

/** Draft of the five-step form. */
export interface MemberDraft extends DraftValues<MemberFields> {
  policyId: string | null
  tierId: string | null
  startOn: string | null
  /** Monthly salary, asked if the policy's rates depend on it. */
  monthlyCents: number | null
  dependents: DependentInput[]
}

export const emptyMember: MemberDraft = {
  ...emptyDraft(memberFields),
  policyId: null,
  tierId: null,
  startOn: null,
  monthlyCents: null,
  dependents: [],
}

/** Order: specification 1, member form. */
export const memberSteps = [
  { id: "personal", label: "Personal Info" },
  { id: "contact", label: "Contact Info" },
  { id: "employment", label: "Employment" },
  { id: "policy", label: "Policy Allocation" },
  { id: "dependents", label: "Dependents" },
] as const
export type MemberStep = (typeof memberSteps)[number]["id"]

const isFilled = (value: unknown): boolean => (typeof value === "string" ? value.trim() !== "" : value !== null)

/**
 * Labels of required fields still missing; Next is enabled when there are none. Fields that a staff list may omit are
 * optional: the member is then marked "to complete".
 */
export function missingFieldsInStep(step: MemberStep, draft: MemberDraft): string[] {
  if (step === "dependents") return []
  if (step === "policy") {
    return [...(draft.policyId === null ? ["Group policy"] : []), ...(draft.tierId === null ? ["Benefit tier"] : [])]
  }
  const declared = namesIn(memberFields, step).flatMap((name) => {
    const { label, required, requiredOnCreate } = memberField(name)!
    return (required || requiredOnCreate) && !isFilled(draft[name]) ? [label] : []
  })
  const hasNumber = isFilled(draft.idNumber) || isFilled(draft.passportNumber)
  return step === "personal" && !hasNumber ? [...declared, memberFields.idNumber.label] : declared
}
