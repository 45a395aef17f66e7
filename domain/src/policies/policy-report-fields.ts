import type { Fields } from "../kernel/field.ts"
import { count, day, money, namesFromValues, reference, status, text } from "../kernel/list.ts"
import { policyStatuses } from "./policy.ts"

const begun = policyStatuses.filter((one) => one !== "Draft")

/** Report fields of employer groups, one row per policy; drafts are excluded. */
export const policyReportFields = {
  policyNumber: reference("Policy number"),
  groupName: { ...text("Group name"), groups: true },
  memberCount: count("Member count"),
  /** Monthly premium of all active and pending members. Without a total, because it would hide missing rates. */
  premiumAmount: { ...money("Premium amount", { none: "A rate is missing" }), adds: false },
  status: { ...status("Status", namesFromValues(begun)), groups: true },
  startOn: { ...day("Start date"), groups: true },
  endOn: { ...day("End date"), groups: true },
  productType: { ...text("Product type"), groups: true },
  sumAssured: { ...money("Sum assured"), adds: false },
  memberPremium: { ...money("Premium per member", { none: "By rates" }), adds: false },
} as const satisfies Fields
