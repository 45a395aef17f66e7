import type { Fields } from "../kernel/field.ts"
import { asItIs, count, day, money, reference, status, text } from "../kernel/list.ts"
import { policyStatuses } from "./policy.ts"

const begun = policyStatuses.filter((one) => one !== "Draft")

/** What people may put into a report of employer groups, a line a policy; drafts are in none. */
export const policyFields = {
  policyNumber: reference("Policy number"),
  groupName: { ...text("Group name"), groups: true },
  memberCount: count("Member count"),
  premiumAmount: { ...money("Premium amount", { none: "By rates" }), adds: false },
  status: { ...status("Status", asItIs(begun)), groups: true },
  startOn: { ...day("Start date"), groups: true },
  endOn: { ...day("End date"), groups: true },
  productType: { ...text("Product type"), groups: true },
  sumAssured: { ...money("Sum assured"), adds: false },
} as const satisfies Fields
