import { days, instant, list, record, text } from "../kernel/list.ts"

/** Newest first. */
export const auditTrailList = list({
  key: "audit-trail",
  noun: { one: "entry", many: "entries" },
  permission: "audit.read",
  order: "-at",
  search: "Search the record's number or name",
  filters: {
    actorId: record("Person", "user"),
    happened: days("When", { of: "happenedAt" }),
  },
  columns: {
    at: instant("When", { of: "happenedAt", sort: true }),
    time: text("Time", { hidden: true }),
    actor: text("Who"),
    what: text("What happened"),
    kind: text("Record type", { of: "kindName" }),
    label: text("Record"),
    group: text("Group name", { of: "groupName", hidden: true }),
    action: text("Action", { hidden: true }),
  },
})
