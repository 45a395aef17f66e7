import { Button } from "@mantine/core"
import { formatMonth, isoMonthOf } from "@milkwood/domain/kernel/calendar"
import type { VatReturnRow } from "@milkwood/domain/month-end/month-end.contract"
import { vatReturnList } from "@milkwood/domain/month-end/vat-return.list"
import { IconDownload } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import { api } from "../../platform/api.ts"
import { columnsOf, DataTable, tableOf, withFilterChoices } from "../../ui/data-table.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { listAddress, untypedListAddress, useLooseListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { SummaryCards } from "../../ui/summary-cards.tsx"
import { monthChoices, selectedMonth } from "../months.ts"

export const Route = createFileRoute("/_app/finance/month-end/vat")({
  ...untypedListAddress,
  staticData: { permission: "monthEnd.read" },
  component: VatReturnPage,
})

const address = listAddress(vatReturnList)

const columns = columnsOf<VatReturnRow, typeof vatReturnList>(vatReturnList, {
  vatClass: { width: 150 },
  rate: { width: 80 },
  kind: { wide: true },
  documents: { width: 110 },
  net: { width: 150 },
  vat: { width: 150 },
})

function VatReturnPage() {
  const list = useLooseListPlace(address, Route.useSearch())
  const { today } = useDisplay()
  const month = selectedMonth(list.search.month, today)
  const query = (search: typeof list.search) => api.monthEnd.vatReturn.queryOptions({ input: search })
  const { data, isError } = useQuery(query(list.search))
  const table = tableOf<VatReturnRow>(vatReturnList)
  const of = isoMonthOf(month)
  return (
    <ListPage>
      <PageHeader
        title="VAT for the month"
        subtitle={`Tax points in ${formatMonth(month)}, by class and rate`}
        back={{ ...linkOptions({ to: "/finance/month-end", search: { month: of } }), label: "Back to Month end" }}
        actions={
          <>
            <Button
              variant="default"
              component={Link}
              {...(linkOptions({ to: "/finance/month-end/vat-documents", search: { month: of } }) as object)}
            >
              Documents
            </Button>
            <Button
              variant="default"
              component="a"
              href={`/api/vat-return/${of}/pdf`}
              download
              leftSection={<IconDownload size={14} aria-hidden />}
            >
              PDF
            </Button>
          </>
        }
      />
      <SummaryCards
        failed={isError}
        cards={[
          { label: "VAT of invoices and credit notes", value: data?.sums && <MoneyText cents={data.sums.vatCents} /> },
          {
            label: "VAT output (ledger)",
            value: data && <MoneyText cents={data.ledgerCents} />,
            hint: data && (data.agrees ? "The two agree" : "They do not agree"),
          },
          { label: "Excl. VAT", value: data?.sums && <MoneyText cents={data.sums.netCents} /> },
        ]}
      />
      <DataTable
        {...table}
        filters={withFilterChoices(table.filters, { month: monthChoices(today) })}
        list={list}
        query={query}
        exportFrom={{ path: "/api/vat-return" }}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => `${row.vatClass} ${row.rate} ${row.kind}`}
        rowLink={({ vatClass, kind }) =>
          linkOptions({ to: "/finance/month-end/vat-documents", search: { month: of, vatClass, kind } })
        }
        pageTotal={{ label: "VAT", of: (row) => row.vatCents }}
        empty={{
          title: "No documents in this month",
          words: "No invoice or credit note has its tax point in this month.",
        }}
        failed="Failed to load the VAT of the month"
      />
    </ListPage>
  )
}
