import {
  choice,
  day,
  days,
  flag,
  instant,
  list,
  money,
  reference,
  status,
  text,
  viewsOfValues,
  words,
} from "../kernel/list.ts"
import { paymentRowStatuses, paymentRowStatusNames, payoutMethodNames } from "./payout.ts"

/** Rows that need an action first (make, release, complete, retry), then newest first. */
export const payoutsList = list({
  key: "payouts",
  noun: { one: "payment", many: "payments" },
  permission: "payouts.read",
  order: "-needsAction",
  sorts: ["needsAction"],
  search: "Search payment, claim, member, group, reference",
  tabs: { by: "status", views: viewsOfValues(paymentRowStatuses, paymentRowStatusNames) },
  filters: {
    status: choice("Status", paymentRowStatuses, paymentRowStatusNames),
    completed: days("Paid", { of: "completedOn" }),
    forMe: flag("For me to release"),
  },
  columns: {
    number: reference("Payment", { sort: true }),
    claimNumber: reference("Claim", { of: "subject.label" }),
    memberName: text("Member", { sort: true }),
    payeeName: text("Payee"),
    groupName: text("Group"),
    amountCents: money("Amount", { sort: true }),
    method: words("Method", payoutMethodNames, { hidden: true }),
    reference: text("Reference", { hidden: true }),
    createdAt: instant("Prepared", { sort: true }),
    completedOn: day("Paid", { sort: true }),
    status: status("Status", paymentRowStatusNames),
  },
  sums: ["amountCents"],
})

export const payoutSubjectFilters = ["all", "claims", "refunds"] as const
export type PaidFor = (typeof payoutSubjectFilters)[number]
