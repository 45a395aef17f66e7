import type { Fields } from "../kernel/field.ts"
import { day, money, reference, status, text, words } from "../kernel/list.ts"
import { causeOfDeathNames, claimStatusNames, claimTypeNames } from "./claim.ts"

const { draft: _draft, ...submitted } = claimStatusNames

export const claimFields = {
  claimNumber: reference("Claim number"),
  memberName: text("Member name"),
  policyNumber: { ...reference("Policy number"), groups: true },
  claimAmount: money("Claim amount"),
  status: { ...status("Status", submitted), groups: true },
  incidentOn: { ...day("Incident date"), groups: true },
  submittedOn: { ...day("Submitted date"), groups: true },
  claimType: { ...words("Claim type", claimTypeNames), groups: true },
  diagnosis: { ...text("Diagnosis"), guarded: "medical" },
  hospitalName: { ...text("Hospital name"), guarded: "medical" },
  causeOfDeath: { ...words("Cause of death", causeOfDeathNames), guarded: "medical" },
  groupName: { ...text("Group name"), groups: true },
  benefit: { ...text("Benefit"), groups: true },
  decidedOn: { ...day("Decided date"), groups: true },
  approvedAmount: money("Approved amount"),
  paidAmount: money("Paid amount"),
} as const satisfies Fields
