import {
  choice,
  count,
  day,
  days,
  flag,
  list,
  money,
  namesFromValues,
  record,
  reference,
  status,
  text,
  viewsOfValues,
} from "../kernel/list.ts"
import { expiringWithinDays, policyStatuses } from "./policy.ts"

export const policiesList = list({
  key: "policies",
  noun: { one: "policy", many: "policies" },
  permission: "policies.read",
  order: "-createdAt",
  sorts: ["createdAt"],
  search: "Search group name or policy number",
  tabs: { by: "status", views: viewsOfValues(policyStatuses, namesFromValues(policyStatuses)) },
  filters: {
    groupId: record("Employer", "group"),
    status: choice("Status", policyStatuses, namesFromValues(policyStatuses)),
    productTypeId: record("Product type", "product type"),
    start: days("Effective date", { of: "startOn" }),
    expiring: flag(`Ends within ${expiringWithinDays} days`),
  },
  columns: {
    group: text("Group name", { of: "groupName", sort: "groupName" }),
    number: reference("Policy number", { sort: true }),
    product: text("Product type", { of: "productTypeName", hidden: true }),
    start: day("Effective date", { of: "startOn", sort: "startOn" }),
    end: day("End date", { of: "endOn", hidden: true }),
    status: status("Status", namesFromValues(policyStatuses), { sort: true }),
    members: count("Members", { of: "memberCount" }),
    premium: money("Premium rate", { of: "premiumCents", sort: "premiumCents", none: "By rates" }),
    monthly: money("Monthly premium", { of: "monthlyPremiumCents", noneOf: "unrated" }),
  },
})
