import {
  choice,
  day,
  days,
  list,
  money,
  namesFromValues,
  record,
  reference,
  status,
  text,
  viewsOfValues,
  words,
} from "../kernel/list.ts"
import { receiptMethodNames, receiptStatuses } from "./receipt.ts"

export const receiptsList = list({
  key: "receipts",
  noun: { one: "receipt", many: "receipts" },
  permission: "receipts.read",
  order: "-receivedOn",
  search: "Search number, policy, group, reference or deposit",
  tabs: { by: "status", views: viewsOfValues(receiptStatuses, namesFromValues(receiptStatuses)) },
  filters: {
    status: choice("Status", receiptStatuses, namesFromValues(receiptStatuses), { all: "All Status" }),
    policyId: record("Policy", "policy"),
    received: days("Date", { of: "receivedOn" }),
  },
  columns: {
    number: reference("Receipt Number", { sort: true }),
    policyNumber: reference("Policy"),
    groupName: text("Group Name", { sort: true }),
    amountCents: money("Amount", { sort: true }),
    method: words("Payment Method", receiptMethodNames),
    reference: text("Reference", { hidden: true }),
    depositNumber: reference("Deposit", { hidden: true }),
    receivedOn: day("Date", { sort: true }),
    status: status("Status", namesFromValues(receiptStatuses)),
  },
  sums: ["amountCents"],
})
