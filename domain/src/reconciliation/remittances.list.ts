import { count, instant, list, money, month, record, reference, text } from "../kernel/list.ts"

export const remittancesList = list({
  key: "remittances",
  noun: { one: "remittance list", many: "remittance lists" },
  permission: "collection.read",
  order: "-createdAt",
  search: "Search file, group or invoice",
  filters: { groupId: record("Employer", "group"), month: month("Month") },
  columns: {
    fileName: text("File"),
    groupName: text("Group name"),
    invoiceNumber: reference("Invoice"),
    createdAt: instant("Added on", { sort: true }),
    paid: money("On the list", { of: "paidCents" }),
    billed: money("Billed", { of: "billedCents" }),
    difference: money("Difference", { of: "differenceCents" }),
    differing: count("Rows with differences", { of: "differingCount" }),
    by: text("Added by", { of: "createdByName" }),
  },
})
