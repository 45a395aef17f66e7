import { choice, instant, list, status, text, words } from "../kernel/list.ts"
import { type Role, roles } from "../platform/permission.ts"
import { roleNames, secondFactorNames, userStatuses, userStatusNames } from "./user.ts"

export const usersList = list({
  key: "users",
  noun: { one: "user", many: "users" },
  permission: "users.manage",
  order: "name",
  search: "Search name or e-mail",
  filters: {
    role: choice<Role>("Role", roles, roleNames),
    status: choice("Status", userStatuses, userStatusNames),
  },
  columns: {
    name: text("Name", { sort: true }),
    email: text("Email", { sort: true }),
    role: words("Role", roleNames, { sort: true }),
    groups: text("Groups", { of: "_groupNames" }),
    status: status("Status", userStatusNames),
    secondFactor: words("Second factor", secondFactorNames),
    lastSignInAt: instant("Last sign-in", { sort: true }),
    createdAt: instant("Created", { sort: true, hidden: true }),
  },
})
