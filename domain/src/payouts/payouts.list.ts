import {
  choice,
  day,
  days,
  eachOf,
  flag,
  instant,
  list,
  money,
  reference,
  status,
  text,
  words,
} from "../kernel/list.ts"
import { paymentRowStatuses, paymentRowStatusNames, payoutMethodNames } from "./payout.ts"

/**
 * Payments of claims and refunds, and approved claims that wait for a payment: what waits for somebody first (to be made, released, completed
 * or retried), then the newest.
 */
export const payoutsList = list({
  key: "payouts",
  noun: { one: "payment", many: "payments" },
  permission: "payouts.read",
  order: "-needsAction",
  sorts: ["needsAction"],
  search: "Search payment, claim, member, group, reference",
  tabs: { by: "status", views: eachOf(paymentRowStatuses, paymentRowStatusNames) },
  filters: {
    status: choice("Status", paymentRowStatuses, paymentRowStatusNames),
    completed: days("Paid", { of: "completedOn" }),
    forMe: flag("Waiting for my release"),
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
    status: status("Status", paymentRowStatusNames),
  },
  sums: ["amountCents"],
})

/** What a payment pays: a claim or a refund of premium. */
export const paidFor = ["all", "claims", "refunds"] as const
export type PaidFor = (typeof paidFor)[number]
