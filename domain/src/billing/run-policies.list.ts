import { choice, count, list, money, record, reference, status, text, words } from "../kernel/list.ts"
import { parkedReasons, runMarkNames, runMarks, runPolicyStateNames, runPolicyStates } from "./billing-run.ts"

export const runPoliciesList = list({
  key: "billing-run-policies",
  noun: { one: "policy", many: "policies" },
  permission: "invoices.write",
  order: "groupName",
  search: "Search group name or policy number",
  tabs: {
    by: "state",
    views: {
      all: { label: "All", values: runPolicyStates },
      waiting: { label: runPolicyStateNames.waiting, values: ["waiting"] },
      parked: { label: runPolicyStateNames.parked, values: ["parked"] },
      made: { label: runPolicyStateNames.made, values: ["made"] },
      left_out: { label: runPolicyStateNames.left_out, values: ["left_out"] },
      nothing: { label: runPolicyStateNames.nothing, values: ["nothing"] },
    },
  },
  filters: {
    runId: record("Run", "billing_run"),
    mark: choice("Exceptions", runMarks, runMarkNames),
  },
  columns: {
    groupName: text("Group", { sort: true }),
    policyNumber: reference("Policy", { sort: true }),
    state: status("Status", runPolicyStateNames),
    members: count("Members"),
    base: money("Month", { of: "baseCents" }),
    adjustment: money("Adjustments", { of: "adjustmentCents" }),
    vat: money("VAT", { of: "vatCents" }),
    total: money("Total", { of: "totalCents", sort: "totalCents" }),
    last: money("Last month, excl. VAT", { of: "lastCents", hidden: true }),
    change: money("Change", { of: "changeCents" }),
    percent: count("Change (%)"),
    joiners: money("Joiners", { of: "joinersCents", hidden: true }),
    leavers: money("Leavers", { of: "leaversCents", hidden: true }),
    premium: money("Premium", { of: "premiumCents", hidden: true }),
    other: money("Recorded late", { of: "otherCents", hidden: true }),
    reasonKind: words("Cannot be billed", parkedReasons, { hidden: true }),
  },
  sums: ["baseCents", "adjustmentCents", "vatCents", "totalCents"],
})
