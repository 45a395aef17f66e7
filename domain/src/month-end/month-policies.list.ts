import { list, month, reference, status, text } from "../kernel/list.ts"

/** open: not billed; excused: not billed, with a reason. */
export const monthPolicyStates = ["open", "excused", "billed"] as const
export type MonthPolicyState = (typeof monthPolicyStates)[number]

export const monthPolicyStateNames: Record<MonthPolicyState, string> = {
  open: "Not billed",
  excused: "Excused",
  billed: "Billed",
}

/** Policies active on the first day of the month, and whether they were billed for it. */
export const monthPoliciesList = list({
  key: "month-policies",
  noun: { one: "policy", many: "policies" },
  permission: "monthEnd.read",
  order: "groupName",
  search: "Search group or policy",
  tabs: {
    by: "state",
    views: {
      open: { label: monthPolicyStateNames.open, values: ["open"] },
      excused: { label: monthPolicyStateNames.excused, values: ["excused"] },
      billed: { label: monthPolicyStateNames.billed, values: ["billed"] },
      all: { label: "All", values: monthPolicyStates },
    },
  },
  filters: { month: month("Month") },
  columns: {
    groupName: text("Group", { sort: true }),
    policyNumber: reference("Policy", { sort: true }),
    state: status("Status", monthPolicyStateNames),
    invoiceNumber: reference("Invoice"),
    reason: text("Reason"),
    excusedByName: text("Excused by"),
  },
})
