import type { EmploymentStatus, Gender } from "./member.ts"
import type { DependentInput } from "./member-shape.ts"

/** What the five-step form holds while it is filled in; text fields are empty, choices null. */
export interface MemberDraft {
  firstName: string
  lastName: string
  idNumber: string
  passportNumber: string
  dateOfBirth: string | null
  gender: Gender | null
  email: string
  phone: string
  address: string
  employmentStatus: EmploymentStatus | null
  employer: string
  jobTitle: string
  employeeNumber: string
  policyId: string | null
  tierId: string | null
  startOn: string | null
  /** What they earn a month, asked where the rates of the policy follow it. */
  monthlyCents: number | null
  dependents: DependentInput[]
}

export const emptyMember: MemberDraft = {
  firstName: "",
  lastName: "",
  idNumber: "",
  passportNumber: "",
  dateOfBirth: null,
  gender: null,
  email: "",
  phone: "",
  address: "",
  employmentStatus: null,
  employer: "",
  jobTitle: "",
  employeeNumber: "",
  policyId: null,
  tierId: null,
  startOn: null,
  monthlyCents: null,
  dependents: [],
}

/** What a staff list may leave out is not asked of a form either: such a member is marked "to complete". */
const requirements = {
  personal: [
    ["First name", (m: MemberDraft) => m.firstName.trim() !== ""],
    ["Last name", (m: MemberDraft) => m.lastName.trim() !== ""],
    ["ID number", (m: MemberDraft) => m.idNumber.trim() !== "" || m.passportNumber.trim() !== ""],
  ],
  contact: [["Email", (m: MemberDraft) => m.email.trim() !== ""]],
  employment: [],
  policy: [
    ["Group policy", (m: MemberDraft) => m.policyId !== null],
    ["Benefit tier", (m: MemberDraft) => m.tierId !== null],
  ],
  dependents: [],
} as const satisfies Record<string, readonly (readonly [string, (draft: MemberDraft) => boolean])[]>

/** The steps in order (specification 1, member form). */
export const memberSteps = [
  { id: "personal", label: "Personal Info" },
  { id: "contact", label: "Contact Info" },
  { id: "employment", label: "Employment" },
  { id: "policy", label: "Policy Allocation" },
  { id: "dependents", label: "Dependents" },
] as const
export type MemberStep = (typeof memberSteps)[number]["id"]

/** The required fields that a step still lacks, by their labels; Next is enabled when there are none. */
export function missingInStep(step: MemberStep, draft: MemberDraft): string[] {
  return requirements[step].filter(([, filled]) => !filled(draft)).map(([label]) => label)
}
