import { count, list, money, record, reference, status, text, viewsOfValues } from "../kernel/list.ts"
import { remittanceOutcomeNames, remittanceOutcomes } from "./remittance-outcome.ts"

export const remittanceRowsList = list({
  key: "remittance-rows",
  noun: { one: "member", many: "members" },
  permission: "collection.read",
  order: "position",
  sorts: ["position"],
  search: "Search name or member number",
  tabs: {
    by: "outcome",
    views: {
      differ: { label: "Differences", values: ["other_amount", "not_billed", "not_paid"] },
      ...viewsOfValues(remittanceOutcomes, remittanceOutcomeNames),
    },
  },
  filters: { remittanceId: record("Remittance list", "remittance") },
  columns: {
    name: text("Name"),
    memberNumber: reference("Member"),
    line: count("Line"),
    outcome: status("Status", remittanceOutcomeNames),
    paid: money("On the list", { of: "paidCents" }),
    billed: money("Billed", { of: "billedCents" }),
    difference: money("Difference", { of: "differenceCents" }),
    words: text("Note"),
  },
  sums: ["paidCents", "billedCents", "differenceCents"],
})
