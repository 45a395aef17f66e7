import { calendarMonth, count, day, list, record, reference, status, text } from "../kernel/list.ts"
import { expectedListStateNames, expectedListStates } from "./expected-staff-list.ts"

/** Active policies whose expected staff list is missing, with the earliest missing month. */
export const outstandingListsList = list({
  key: "outstanding-lists",
  noun: { one: "staff list", many: "staff lists" },
  permission: "members.import",
  order: "dueOn",
  search: "Search group or policy",
  tabs: {
    by: "state",
    views: {
      all: { label: "All", values: expectedListStates },
      late: { label: expectedListStateNames.late, values: ["late"] },
      expected: { label: expectedListStateNames.expected, values: ["expected"] },
    },
  },
  filters: { groupId: record("Employer", "group") },
  columns: {
    groupName: text("Employer", { sort: true }),
    policyNumber: reference("Policy", { sort: true }),
    month: calendarMonth("Month"),
    dueOn: day("Due", { sort: true }),
    state: status("Status", expectedListStateNames),
    daysLate: count("Days late", { sort: true }),
    lastListOn: day("Last list"),
  },
})
