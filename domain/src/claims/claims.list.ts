import {
  choice,
  day,
  days,
  flag,
  instant,
  list,
  money,
  person,
  record,
  reference,
  status,
  text,
  words,
} from "../kernel/list.ts"
import { claimStatuses, claimStatusNames, claimTabs, claimTypeNames } from "./claim.ts"

/** Every claim that the reader may see, newest first. */
export const claimsList = list({
  key: "claims",
  noun: { one: "claim", many: "claims" },
  permission: "claims.read",
  order: "-number",
  search: "Search claim number, member or policy group",
  tabs: {
    by: "status",
    views: {
      all: { label: "All", values: claimTabs.all },
      pending: { label: "Pending", values: claimTabs.pending },
      approved: { label: "Approved", values: claimTabs.approved },
      rejected: { label: "Rejected", values: claimTabs.rejected },
    },
  },
  filters: {
    groupId: record("Employer", "group"),
    status: choice("Status", claimStatuses, claimStatusNames),
    policyId: record("Policy", "policy"),
    memberId: record("Member", "member"),
    submitted: days("Submitted", { of: "submittedAt" }),
    decided: days("Decided", { of: "decidedAt" }),
    mine: flag("Captured by me"),
  },
  columns: {
    number: reference("Claim", { sort: true }),
    member: person("Member", { sort: true }),
    group: text("Policy group", { of: "group.name", sort: true }),
    type: words("Type", claimTypeNames, { of: "claimType" }),
    benefit: text("Benefit", { of: "benefit.name", hidden: true }),
    policy: reference("Policy", { of: "policy.number", hidden: true }),
    incidentOn: day("Incident", { sort: true }),
    submittedAt: instant("Submitted", { sort: true }),
    decidedAt: instant("Decided", { sort: true, hidden: true }),
    claimAmount: money("Claim amount", { of: "claimAmountCents", hidden: true }),
    requested: money("Requested", { of: "requestedAmountCents", sort: "requestedAmount" }),
    approved: money("Approved", { of: "approvedAmountCents", hidden: true }),
    status: status("Status", claimStatusNames, { sort: true }),
  },
  sums: ["requestedAmountCents"],
})
