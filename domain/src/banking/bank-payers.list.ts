import { count, instant, list, record, reference, text, words } from "../kernel/list.ts"
import { notOursNames } from "./bank-placement.ts"

export const bankPayersList = list({
  key: "bank-payers",
  noun: { one: "payer", many: "payers" },
  permission: "banking.read",
  order: "-lastAt",
  search: "Search payer, policy or group",
  tabs: {
    by: "of",
    views: {
      all: { label: "All", values: ["policy", "notOurs"] },
      policy: { label: "Policies", values: ["policy"] },
      notOurs: { label: "Not a premium or claim payment", values: ["notOurs"] },
    },
  },
  filters: { policyId: record("Policy", "policy") },
  columns: {
    payer: text("Payer"),
    group: text("Group", { of: "groupName" }),
    policy: reference("Policy", { of: "policyNumber" }),
    reason: words("Not a premium or claim payment", notOursNames),
    confirmed: count("Confirmed"),
    declined: count("Declined"),
    lastAt: instant("Last seen", { sort: true }),
  },
})
