import { choice, day, days, flag, list, money, record, reference, text, words } from "../kernel/list.ts"
import { mailStateNames } from "../platform/mail-states.ts"
import { creditKindNames, creditKinds } from "./credit-parts.ts"

export const creditNotesList = list({
  key: "credit-notes",
  noun: { one: "credit note", many: "credit notes" },
  permission: "invoices.read",
  order: "-createdAt",
  sorts: ["createdAt"],
  search: "Search credit note, invoice, group or policy",
  filters: {
    kind: choice("Kind", creditKinds, creditKindNames),
    undelivered: flag("Not delivered"),
    groupId: record("Employer", "group"),
    policyId: record("Policy", "policy"),
    credited: days("Date", { of: "creditedOn" }),
  },
  columns: {
    number: reference("Credit note", { sort: true }),
    group: text("Group name", { of: "groupName", sort: "groupName" }),
    policy: reference("Policy", { of: "policyNumber", sort: "policyNumber" }),
    invoice: reference("Invoice", { of: "invoiceNumber" }),
    creditedOn: day("Date", { sort: true }),
    kind: words("Kind", creditKindNames),
    reason: text("Reason"),
    vat: money("VAT", { of: "vatCents", hidden: true }),
    total: money("Amount", { of: "totalCents", sort: "totalCents" }),
    delivery: words("Delivery", mailStateNames, { of: "mail", hidden: true }),
  },
  sums: ["totalCents"],
})
