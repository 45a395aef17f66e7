import { ageBucketNames, ageBuckets } from "../billing/ageing.ts"
import { count, day, flag, list, money, reference, text } from "../kernel/list.ts"

export const debtorsAgeingList = list({
  key: "debtors-ageing",
  noun: { one: "policy", many: "policies" },
  permission: "reports.financial",
  order: "-totalCents",
  search: "Search group or policy",
  filters: { overdue: flag("Overdue") },
  columns: {
    groupName: text("Group", { sort: true }),
    policyNumber: reference("Policy", { sort: true }),
    current: money(ageBucketNames.current),
    days1to30: money(ageBucketNames.days1to30),
    days31to60: money(ageBucketNames.days31to60),
    days61to90: money(ageBucketNames.days61to90),
    over90: money(ageBucketNames.over90, { sort: true }),
    totalCents: money("Total", { sort: true }),
    creditCents: money("Unallocated"),
    invoices: count("Open invoices", { hidden: true }),
    oldestDueOn: day("Oldest due", { sort: true, hidden: true }),
  },
  sums: [...ageBuckets, "totalCents", "creditCents"],
})
