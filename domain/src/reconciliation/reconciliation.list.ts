import {
  calendarMonth,
  choice,
  day,
  flag,
  list,
  money,
  month,
  namesFromValues,
  record,
  status,
  text,
  viewsOfValues,
} from "../kernel/list.ts"
import { reconciliationStatuses } from "./reconciliation.ts"

/** Specification 2, "Premium Reconciliation". */
export const reconciliationList = list({
  key: "reconciliation",
  noun: { one: "month", many: "months" },
  permission: "collection.read",
  order: "-month",
  search: "Search group name",
  tabs: { by: "status", views: viewsOfValues(reconciliationStatuses, namesFromValues(reconciliationStatuses)) },
  filters: {
    status: choice("Status", reconciliationStatuses, namesFromValues(reconciliationStatuses)),
    month: month("Month"),
    groupId: record("Employer", "group"),
    unresolved: flag("Unresolved"),
  },
  columns: {
    month: calendarMonth("Month", { sort: true }),
    groupName: text("Group name", { sort: true }),
    expected: money("Expected", { of: "expectedCents", sort: "expectedCents" }),
    received: money("Received", { of: "receivedCents", sort: "receivedCents" }),
    difference: money("Difference", { of: "differenceCents", sort: "differenceCents" }),
    status: status("Status", namesFromValues(reconciliationStatuses)),
    reconciledOn: day("Reconciled on"),
    notes: text("Notes"),
  },
  sums: ["expectedCents", "receivedCents", "differenceCents"],
})
