import { payoutMethodNames } from "@milkwood/domain/payouts/payout"
import { payoutsContract } from "@milkwood/domain/payouts/payouts.contract"
import { capitalised, rands } from "../platform/lists/csv.ts"
import { exportList } from "../platform/lists/list-export.ts"
import { type ListedPayout, matchingPayouts, type PayoutFilters, payoutRowsOf } from "./payouts.queries.ts"

/** The list of claims payments as a file; columns and filters are those of the screen's list. */
export const exportPayouts = exportList<PayoutFilters, ListedPayout>({
  path: "/api/payouts.csv",
  permission: "payouts.read",
  summary: "Claims payments as CSV",
  list: "payments",
  input: payoutsContract.list["~orpc"].inputSchema!,
  ids: matchingPayouts,
  rows: payoutRowsOf,
  columns: {
    number: { title: "Payment", value: (row) => row.number },
    claimNumber: { title: "Claim", value: (row) => row.claimNumber },
    memberName: { title: "Member", value: (row) => row.memberName },
    groupName: { title: "Group", value: (row) => row.groupName },
    amountCents: { title: "Amount", value: (row) => rands(row.amountCents) },
    method: { title: "Method", value: (row) => payoutMethodNames[row.method] },
    reference: { title: "Reference", value: (row) => row.reference },
    createdAt: { title: "Made", value: (row) => row.createdOn },
    completedOn: { title: "Paid", value: (row) => row.completedOn },
    status: { title: "Status", value: (row) => capitalised(row.status) },
  },
})
