import { billingContract, type InvoiceRow } from "@milkwood/domain/billing/billing.contract"
import { capitalised, rands } from "../platform/lists/csv.ts"
import { exportList } from "../platform/lists/list-export.ts"
import { type InvoicesInput, invoiceRowsOf, matchingInvoices } from "./invoice-list.queries.ts"

/** The list of invoices as a file; columns and filters are those of the screen's list. */
export const exportInvoices = exportList<InvoicesInput, InvoiceRow>({
  path: "/api/invoices.csv",
  permission: "invoices.read",
  summary: "Invoices as CSV",
  list: "invoices",
  input: billingContract.list["~orpc"].inputSchema!,
  ids: matchingInvoices,
  rows: invoiceRowsOf,
  columns: {
    number: { title: "Invoice", value: (row) => row.number },
    group: { title: "Group name", value: (row) => row.groupName },
    policy: { title: "Policy", value: (row) => row.policyNumber },
    period: { title: "Period", value: (row) => `${row.periodStartOn} – ${row.periodEndOn}` },
    invoiceOn: { title: "Invoice date", value: (row) => row.invoiceOn },
    dueOn: { title: "Due date", value: (row) => row.dueOn },
    total: { title: "Amount", value: (row) => rands(row.totalCents) },
    open: { title: "Outstanding", value: (row) => rands(row.openCents) },
    status: { title: "Status", value: (row) => capitalised(row.status) },
  },
})
