import {
  choice,
  count,
  flag,
  instant,
  list,
  money,
  person,
  record,
  reference,
  status,
  text,
  valuesAsNames,
  words,
} from "../kernel/list.ts"
import { claimTypeNames } from "./claim.ts"
import { highlightOverDays, pendingStates } from "./claim-priority.ts"

export const pendingClaimsList = list({
  key: "pending-claims",
  noun: { one: "pending claim", many: "pending claims" },
  permission: "claims.read",
  order: "priority",
  search: "Search member, claim number or type",
  filters: {
    groupId: record("Employer", "group"),
    state: choice("Status", pendingStates, valuesAsNames(pendingStates)),
    urgent: flag("Urgent"),
    overdue: flag(`More than ${highlightOverDays} days`),
    forMe: flag("Waiting for me"),
    unusual: flag("Cover exceptions"),
  },
  columns: {
    number: reference("Claim", { sort: true }),
    member: person("Member", { sort: true }),
    memberNumber: reference("Member number", { of: "member.number" }),
    group: text("Policy group", { of: "group.name", hidden: true }),
    type: words("Type", claimTypeNames, { of: "claimType" }),
    claimAmount: money("Claim amount", { of: "claimAmountCents" }),
    requested: money("Requested", { of: "requestedAmountCents", sort: "requestedAmount", hidden: true }),
    submittedAt: instant("Submitted", { sort: true }),
    waiting: count("Waiting", { of: "waitingDays", sort: "waitingDays" }),
    priority: status("Priority", {}, { sort: true }),
    state: status("Status", {}),
    assigned: text("Assigned to", { of: "assignedTo" }),
  },
  sums: ["requestedAmountCents"],
})
