import { formatMonth, isoMonthOf } from "@milkwood/domain/kernel/calendar"
import type { VatDocumentRow } from "@milkwood/domain/month-end/month-end.contract"
import { vatDocumentsList } from "@milkwood/domain/month-end/vat-return.list"
import { createFileRoute, linkOptions } from "@tanstack/react-router"
import { api } from "../../platform/api.ts"
import { columnsOf, DataTable, tableOf, withFilterChoices } from "../../ui/data-table.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { listAddress, untypedListAddress, useLooseListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { monthChoices, selectedMonth } from "../months.ts"

export const Route = createFileRoute("/_app/finance/month-end/vat-documents")({
  ...untypedListAddress,
  staticData: { permission: "monthEnd.read" },
  component: VatDocumentsPage,
})

const address = listAddress(vatDocumentsList)

const columns = columnsOf<VatDocumentRow, typeof vatDocumentsList>(vatDocumentsList, {
  countsOn: { width: 112, card: "line" },
  documentOn: { width: 120 },
  kind: { width: 130 },
  number: { width: 160, card: "title" },
  policyNumber: { width: 150 },
  vatClass: { width: 130 },
  rate: { width: 64 },
  net: { width: 130 },
  vat: { width: 130 },
})

const documentLinkOf = ({ record: { kind, id } }: VatDocumentRow) =>
  kind === "invoice"
    ? linkOptions({ to: "/invoices/$invoiceId", params: { invoiceId: id } })
    : linkOptions({ to: "/invoices/credit-notes/$creditNoteId", params: { creditNoteId: id } })

/** A late document counts in a month after its own date. */
function VatDocumentsPage() {
  const list = useLooseListPlace(address, Route.useSearch())
  const { today } = useDisplay()
  const month = selectedMonth(list.search.month, today)
  const table = tableOf<VatDocumentRow>(vatDocumentsList)
  return (
    <ListPage>
      <PageHeader
        title="VAT documents"
        subtitle={`Documents with a tax point in ${formatMonth(month)}`}
        back={{
          ...linkOptions({ to: "/finance/month-end/vat", search: { month: isoMonthOf(month) } }),
          label: "Back to VAT for the month",
        }}
      />
      <DataTable
        {...table}
        filters={withFilterChoices(table.filters, { month: monthChoices(today) })}
        list={list}
        query={(search) => api.monthEnd.vatDocuments.queryOptions({ input: search })}
        exportFrom={{ path: "/api/vat-documents" }}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => `${row.number} ${row.rate}`}
        rowLink={documentLinkOf}
        pageTotal={{ label: "VAT", of: (row) => row.vatCents }}
        empty={{
          title: "No documents in this month",
          words: "No invoice or credit note has its tax point in this month.",
        }}
        failed="Failed to load documents"
      />
    </ListPage>
  )
}
