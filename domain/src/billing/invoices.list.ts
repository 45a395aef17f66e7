import { choice, day, days, flag, list, money, record, reference, status, text, words } from "../kernel/list.ts"
import { mailStateNames } from "../platform/mail-states.ts"
import { invoiceStatuses, invoiceStatusNames, invoiceTabs } from "./invoice.ts"

export const invoicesList = list({
  key: "invoices",
  noun: { one: "invoice", many: "invoices" },
  permission: "invoices.read",
  order: "-createdAt",
  sorts: ["createdAt"],
  search: "Search invoice, group or policy",
  tabs: {
    by: "status",
    views: {
      all: { label: "All", values: invoiceTabs.all },
      drafts: { label: "Drafts", values: invoiceTabs.drafts },
      sent: { label: "Sent", values: invoiceTabs.sent },
      unpaid: { label: "Unpaid", values: invoiceTabs.unpaid },
      overdue: { label: "Overdue", values: invoiceTabs.overdue },
      paid: { label: "Paid", values: invoiceTabs.paid },
    },
  },
  filters: {
    status: choice("Status", invoiceStatuses, invoiceStatusNames),
    undelivered: flag("Not delivered"),
    groupId: record("Employer", "group"),
    policyId: record("Policy", "policy"),
    invoiced: days("Invoice date", { of: "invoiceOn" }),
    due: days("Due date", { of: "dueOn" }),
  },
  columns: {
    number: reference("Invoice", { sort: true }),
    group: text("Group name", { of: "groupName", sort: "groupName" }),
    policy: reference("Policy", { of: "policyNumber", sort: "policyNumber" }),
    period: text("Period", { hidden: true }),
    invoiceOn: day("Invoice date", { sort: true }),
    dueOn: day("Due date", { sort: true }),
    total: money("Amount", { of: "totalCents", sort: "totalCents" }),
    open: money("Outstanding", { of: "openCents", sort: "openCents" }),
    status: status("Status", invoiceStatusNames, { sort: true }),
    delivery: words("Delivery", mailStateNames, { of: "mail", hidden: true }),
  },
  sums: ["totalCents", "openCents"],
})
