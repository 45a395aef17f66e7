import {
  choice,
  day,
  flag,
  list,
  money,
  namesFromValues,
  person,
  record,
  reference,
  status,
  text,
  viewsOfValues,
} from "../kernel/list.ts"
import { memberStatuses } from "./member.ts"
import { memberFields, memberListColumns } from "./member-fields.ts"

export const membersList = list({
  key: "members",
  noun: { one: "member", many: "members" },
  permission: "members.read",
  order: "name",
  search: "Search name, ID, employee number or group",
  tabs: { by: "status", views: viewsOfValues(memberStatuses, namesFromValues(memberStatuses)) },
  filters: {
    groupId: record("Employer", "group"),
    status: choice("Status", memberStatuses, namesFromValues(memberStatuses)),
    policyId: record("Policy", "policy"),
    tierId: record("Benefit tier", "tier"),
    toComplete: flag("Missing details"),
  },
  columns: {
    name: person("Name", { of: ".", sort: true }),
    number: reference("Number", { sort: true }),
    idNumber: text(memberFields.idNumber.label),
    ...memberListColumns,
    group: text("Policy group", { of: "groupName", sort: true }),
    policy: reference("Policy", { of: "policyNumber", sort: true, hidden: true }),
    tier: text("Benefit tier", { of: "tierName", sort: true }),
    status: status("Status", namesFromValues(memberStatuses), { sort: true }),
    start: day("Join date", { of: "startOn", sort: "startOn" }),
    end: day("End date", { of: "endOn", hidden: true }),
    premium: money("Premium", { of: "premiumCents", none: "No premium", noneOf: "unrated" }),
  },
})
