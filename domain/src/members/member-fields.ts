import type { Fields } from "../kernel/field.ts"
import { asItIs, count, day, money, reference, status, text, words } from "../kernel/list.ts"
import { memberStatuses } from "./member.ts"

/** What people may put into a report of members. */
export const memberFields = {
  memberNumber: reference("Member number"),
  fullName: text("Full name"),
  policyNumber: { ...reference("Policy number"), groups: true },
  status: { ...status("Status", asItIs(memberStatuses)), groups: true },
  startOn: { ...day("Join date"), groups: true },
  tier: { ...text("Benefit tier"), groups: true },
  employer: { ...text("Employer"), groups: true },
  contact: text("Contact information"),
  employeeNumber: reference("Employee number"),
  groupName: { ...text("Group name"), groups: true },
  idNumber: { ...text("ID or passport number"), guarded: "identity" },
  dateOfBirth: day("Date of birth"),
  gender: { ...words("Gender", { male: "Male", female: "Female", other: "Other" }), groups: true },
  jobTitle: { ...text("Job title"), groups: true },
  endOn: { ...day("End date"), groups: true },
  dependents: count("Dependents"),
  /** It is not summed: a sum would hide that a rate is missing. */
  premium: { ...money("Premium", { none: "A rate is missing" }), adds: false },
} as const satisfies Fields
