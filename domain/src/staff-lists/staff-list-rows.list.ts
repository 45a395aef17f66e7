import { count, day, list, money, person, status, text, words } from "../kernel/list.ts"
import { rowOutcomeNames, rowStatusNames } from "./staff-list.ts"

/** Rows in file order, then leavers. */
export const staffListRowsList = list({
  key: "import-rows",
  noun: { one: "row", many: "rows" },
  permission: "members.read",
  order: "row",
  sorts: ["row"],
  search: "Search name, ID number or e-mail",
  columns: {
    row: count("Row", { of: "line" }),
    status: status("Status", rowStatusNames),
    name: person("Name", { of: "." }),
    idNumber: text("ID number"),
    email: text("Email", { hidden: true }),
    outcome: words("Outcome", rowOutcomeNames),
    tier: text("Tier", { of: "tierName" }),
    start: day("Start", { of: "startOn", hidden: true }),
    salary: money("Monthly salary", { of: "salaryCents", hidden: true }),
    words: text("Problem or note", { of: "problems" }),
  },
})
