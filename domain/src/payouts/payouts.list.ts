import { choice, day, days, eachOf, instant, list, money, reference, status, text, words } from "../kernel/list.ts"
import { payoutMethodNames, payoutStatuses, payoutStatusNames } from "./payout.ts"

/** Claim payments: those that wait for somebody first (to be released, completed or retried), then the newest. */
export const payoutsList = list({
  key: "payouts",
  noun: { one: "payment", many: "payments" },
  permission: "payouts.read",
  order: "-needsAction",
  sorts: ["needsAction"],
  search: "Search payment, claim, member, group, reference",
  tabs: { by: "status", views: eachOf(payoutStatuses, payoutStatusNames) },
  filters: {
    status: choice("Status", payoutStatuses, payoutStatusNames),
    completed: days("Paid", { of: "completedOn" }),
  },
  columns: {
    number: reference("Payment", { sort: true }),
    claimNumber: reference("Claim", { of: "subject.label" }),
    memberName: text("Member", { sort: true }),
    groupName: text("Group"),
    amountCents: money("Amount", { sort: true }),
    method: words("Method", payoutMethodNames, { hidden: true }),
    reference: text("Reference", { hidden: true }),
    createdAt: instant("Prepared", { sort: true }),
    completedOn: day("Paid", { sort: true }),
    status: status("Status", payoutStatusNames),
  },
  sums: ["amountCents"],
})
