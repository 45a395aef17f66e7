import { receiptMethodNames } from "@milkwood/domain/receipts/receipt"
import { type ReceiptRow, receiptsContract } from "@milkwood/domain/receipts/receipts.contract"
import { rands } from "../platform/lists/csv.ts"
import { exportList } from "../platform/lists/list-export.ts"
import { matchingReceipts, type ReceiptFilters, receiptRowsOf } from "./receipts.queries.ts"

/** The list of receipts as a file; columns and filters are those of the screen's list. */
export const exportReceipts = exportList<ReceiptFilters, ReceiptRow>({
  path: "/api/receipts.csv",
  permission: "receipts.read",
  summary: "Receipts as CSV",
  list: "receipts",
  input: receiptsContract.list["~orpc"].inputSchema!,
  ids: matchingReceipts,
  rows: receiptRowsOf,
  columns: {
    number: { title: "Receipt Number", value: (row) => row.number },
    policyNumber: { title: "Policy", value: (row) => row.policyNumber },
    groupName: { title: "Group Name", value: (row) => row.groupName },
    amountCents: { title: "Amount", value: (row) => rands(row.amountCents) },
    method: { title: "Payment Method", value: (row) => receiptMethodNames[row.method] },
    reference: { title: "Reference", value: (row) => row.reference },
    receivedOn: { title: "Date", value: (row) => row.receivedOn },
    status: { title: "Status", value: (row) => row.status },
  },
})
