import { choice, day, days, flag, list, money, record, reference, status, text, words } from "../kernel/list.ts"
import { refundMethodNames, refundReasonNames, refundReasons, refundStatuses, refundStatusNames } from "./refund.ts"

export const refundsList = list({
  key: "refunds",
  noun: { one: "refund", many: "refunds" },
  permission: "payouts.read",
  order: "-number",
  search: "Search policy number, member, reference or reason",
  filters: {
    status: choice("Status", refundStatuses, refundStatusNames, { all: "All Status" }),
    reason: choice("Reason", refundReasons, refundReasonNames),
    policyId: record("Policy", "policy"),
    refunded: days("Date", { of: "refundedOn" }),
    forMe: flag("For me to release"),
  },
  columns: {
    number: reference("Refund", { sort: true }),
    policyNumber: reference("Policy Number"),
    memberName: text("Member"),
    groupName: text("Group", { hidden: true }),
    amountCents: money("Amount", { sort: true }),
    periodFromOn: day("Period"),
    reason: words("Reason", refundReasonNames),
    method: words("Method", refundMethodNames),
    refundedOn: day("Date", { sort: true, none: "Pending" }),
    reference: text("Reference", { hidden: true }),
    status: status("Status", refundStatusNames),
  },
  sums: ["amountCents"],
})
