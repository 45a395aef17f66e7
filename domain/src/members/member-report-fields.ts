import type { Fields } from "../kernel/field.ts"
import { count, day, money, namesFromValues, reference, status, text } from "../kernel/list.ts"
import { memberStatuses } from "./member.ts"
import { memberFieldsInReports } from "./member-fields.ts"

const { employer, ...others } = memberFieldsInReports

/** Report fields in the order offered. */
export const memberReportFields = {
  memberNumber: reference("Member number"),
  fullName: text("Full name"),
  policyNumber: { ...reference("Policy number"), groups: true },
  status: { ...status("Status", namesFromValues(memberStatuses)), groups: true },
  startOn: { ...day("Join date"), groups: true },
  tier: { ...text("Benefit tier"), groups: true },
  employer,
  contact: text("Contact information"),
  groupName: { ...text("Group name"), groups: true },
  idNumber: { ...text("ID or passport number"), guarded: "identity" },
  ...others,
  endOn: { ...day("End date"), groups: true },
  dependents: count("Dependents"),
  /** Not summed: a sum would hide a missing rate. */
  premium: { ...money("Premium", { none: "A rate is missing" }), adds: false },
} as const satisfies Fields
