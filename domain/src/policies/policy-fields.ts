import type { Fields } from "../kernel/field.ts"
import { asItIs, count, day, money, reference, status, text } from "../kernel/list.ts"
import { policyStatuses } from "./policy.ts"

const begun = policyStatuses.filter((one) => one !== "Draft")

/** What people may put into a report of employer groups, a line a policy; drafts are in none. */
export const policyFields = {
  policyNumber: reference("Policy number"),
  groupName: { ...text("Group name"), groups: true },
  memberCount: count("Member count"),
  /** The premium a month of all active and pending members. It is not summed: a sum would hide that a rate is missing. */
  premiumAmount: { ...money("Premium amount", { none: "A rate is missing" }), adds: false },
  status: { ...status("Status", asItIs(begun)), groups: true },
  startOn: { ...day("Start date"), groups: true },
  endOn: { ...day("End date"), groups: true },
  productType: { ...text("Product type"), groups: true },
  sumAssured: { ...money("Sum assured"), adds: false },
  memberPremium: { ...money("Premium per member", { none: "By rates" }), adds: false },
} as const satisfies Fields
