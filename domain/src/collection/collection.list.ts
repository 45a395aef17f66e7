import { ageBucketNames } from "../billing/ageing.ts"
import {
  asItIs,
  choice,
  count,
  day,
  eachOf,
  instant,
  list,
  money,
  month,
  record,
  reference,
  status,
  text,
  words,
} from "../kernel/list.ts"
import {
  collectionStatuses,
  collectionTaskNames,
  collectionTasks,
  collectionViewNames,
  collectionViews,
  standingNames,
  standings,
} from "./collection.ts"

/**
 * Expected, collected and outstanding of each policy for a month or for all months, and how the policy stands today:
 * ageing, overdue and status are of everything that it owes.
 */
export const collectionList = list({
  key: "collection",
  noun: { one: "policy", many: "policies" },
  permission: "collection.read",
  order: "-outstandingCents",
  search: "Search group name or policy number",
  tabs: { by: "status", views: eachOf(collectionStatuses, asItIs(collectionStatuses)) },
  filters: {
    month: month("Month", { all: "All months" }),
    standing: choice("Promises and disputes", standings, standingNames),
    task: choice("To do", collectionTasks, collectionTaskNames),
    view: choice("Showing", collectionViews, collectionViewNames),
    groupId: record("Employer", "group"),
    policyId: record("Policy", "policy"),
  },
  columns: {
    groupName: text("Group", { sort: true }),
    policyNumber: reference("Policy number", { sort: true }),
    expected: money("Expected", { of: "expectedCents", sort: "expectedCents" }),
    collected: money("Collected", { of: "collectedCents", sort: "collectedCents" }),
    outstanding: money("Outstanding", { of: "outstandingCents", sort: "outstandingCents" }),
    credit: money("Unallocated credit", { of: "creditCents", sort: "creditCents" }),
    writtenOff: money("Written off", { of: "writtenOffCents", hidden: true }),
    rate: count("Collection rate (%)", { sort: true }),
    overdue: money("Overdue", { of: "overdueCents", sort: "overdueCents", hidden: true }),
    overdueSince: day("Overdue since", { hidden: true }),
    owed: money("Owed in all", { of: "owedCents", hidden: true }),
    lastPaymentOn: day("Last payment"),
    current: money(ageBucketNames.current, { hidden: true }),
    days1to30: money(ageBucketNames.days1to30, { hidden: true }),
    days31to60: money(ageBucketNames.days31to60, { hidden: true }),
    days61to90: money(ageBucketNames.days61to90, { hidden: true }),
    over90: money(ageBucketNames.over90, { hidden: true }),
    status: status("Status", asItIs(collectionStatuses), { sort: true }),
    standing: words("Promise or dispute", standingNames),
    promisedOn: day("Promised by", { hidden: true }),
    lastContactAt: instant("Last contact", { hidden: true }),
    contactName: text("Contact"),
    phone: text("Phone"),
  },
  sums: ["expectedCents", "collectedCents", "outstandingCents", "creditCents"],
})
