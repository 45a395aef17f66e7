import { day, list, money, month, reference, status, text } from "../kernel/list.ts"

/** open: still to be allocated; kept: deliberately left as credit. */
export const creditStates = ["open", "kept"] as const
export type CreditState = (typeof creditStates)[number]

export const creditStateNames: Record<CreditState, string> = { open: "To allocate", kept: "Kept as credit" }

/** Receipts up to month end with an unallocated amount. */
export const monthCreditsList = list({
  key: "month-credits",
  noun: { one: "receipt", many: "receipts" },
  permission: "monthEnd.read",
  order: "-receivedOn",
  search: "Search receipt, group or policy",
  tabs: {
    by: "state",
    views: {
      open: { label: creditStateNames.open, values: ["open"] },
      kept: { label: creditStateNames.kept, values: ["kept"] },
      all: { label: "All", values: creditStates },
    },
  },
  filters: { month: month("Month") },
  columns: {
    number: reference("Receipt", { sort: true }),
    groupName: text("Group", { sort: true }),
    policyNumber: reference("Policy"),
    receivedOn: day("Received", { sort: true }),
    amount: money("Amount", { of: "amountCents" }),
    credit: money("Credit", { of: "creditCents", sort: "creditCents" }),
    state: status("Status", creditStateNames),
    reason: text("Reason"),
    heldByName: text("Kept by", { hidden: true }),
  },
  sums: ["creditCents"],
})
