import { count, list, namesFromValues, reference, status, text, viewsOfValues } from "../kernel/list.ts"
import { employerStatuses } from "./employer.ts"

const names = namesFromValues(employerStatuses)

export const employersList = list({
  key: "employers",
  noun: { one: "employer", many: "employers" },
  permission: "policies.read",
  order: "name",
  search: "Search name or registration number",
  tabs: { by: "status", views: viewsOfValues(employerStatuses, names) },
  filters: {},
  columns: {
    name: text("Employer", { sort: true }),
    registrationNumber: reference("Registration number"),
    policies: count("Open policies", { of: "openPolicies" }),
    members: count("Members", { of: "members" }),
    status: status("Status", names),
  },
})
