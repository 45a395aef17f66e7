import { choice, count, instant, list, record, reference, status, text } from "../kernel/list.ts"
import { staffListStatuses, staffListStatusLabels } from "./staff-list.ts"

/** Newest first. */
export const staffListsList = list({
  key: "imports",
  noun: { one: "import", many: "imports" },
  permission: "members.read",
  order: "-createdAt",
  search: "Search file, group or policy",
  filters: {
    status: choice("Status", staffListStatuses, staffListStatusLabels),
    policyId: record("Policy", "policy"),
  },
  columns: {
    fileName: text("File", { sort: true }),
    group: text("Group", { of: "groupName" }),
    policy: reference("Policy", { of: "policyNumber" }),
    createdAt: instant("Date", { sort: true }),
    by: text("Uploaded by", { of: "createdByName" }),
    status: status("Status", staffListStatusLabels),
    total: count("Total records", { of: "rowCount", sort: "rowCount" }),
    success: count("Added", { of: "addedCount" }),
    changed: count("Updated", { of: "changedCount", hidden: true }),
    ended: count("Ended", { of: "endedCount", hidden: true }),
    errors: count("Errors", { of: "errorCount" }),
  },
})
