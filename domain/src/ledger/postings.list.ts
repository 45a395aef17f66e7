import { day, instant, list, money, reference, text } from "../kernel/list.ts"

export const postingsList = list({
  key: "postings",
  noun: { one: "posting", many: "postings" },
  permission: "ledger.read",
  order: "-effectiveOn",
  search: "Search description, group or policy",
  columns: {
    effectiveOn: day("Date", { sort: true }),
    description: text("Description"),
    group: text("Group name", { of: "groupName" }),
    policy: reference("Policy", { of: "policyNumber" }),
    postedAt: instant("Posted", { hidden: true }),
    debit: money("Debit", { of: "debitCents" }),
    credit: money("Credit", { of: "creditCents" }),
    balance: money("Balance", { of: "balanceCents" }),
  },
  sums: ["debitCents", "creditCents"],
})
