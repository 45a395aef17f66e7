import { bankStatementsList } from "@milkwood/domain/banking/bank-statements.list"
import type { BankStatementRow } from "@milkwood/domain/banking/banking.contract"
import { addDays, firstOfMonth, formatDay } from "@milkwood/domain/kernel/calendar"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import { api } from "../../platform/api.ts"
import { columnsOf, DataTable, tableOf, withFilterChoices } from "../../ui/data-table.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { InlineError } from "../../ui/inline-error.tsx"
import { listAddress, untypedListAddress, useLooseListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { bankAccountsQuery, statementsDueQuery } from "../banking.api.ts"

export const Route = createFileRoute("/_app/invoices/reconciliation/statements")({
  ...untypedListAddress,
  staticData: { permission: "banking.read" },
  component: StatementsPage,
})

const address = listAddress(bankStatementsList)

const columns = columnsOf<BankStatementRow, typeof bankStatementsList>(bankStatementsList, {
  number: {
    width: 150,
    cell: ({ number, undoneAt, gap }) => (
      <>
        <DocumentNumber>{number}</DocumentNumber> {undoneAt && <StatusBadge status="undone" label="Undone" />}
        {gap && <StatusBadge status="missing" label="Earlier lines missing" />}
      </>
    ),
  },
  account: { width: 130 },
  fromOn: { width: 104 },
  toOn: { width: 104 },
  opening: { width: 120 },
  closing: { width: 120 },
  lines: { width: 64 },
  importedAt: { width: 108 },
  fileName: { width: 200, wide: true },
})

const view = ({ id }: BankStatementRow) =>
  linkOptions({ to: "/invoices/reconciliation/statements/$statementId", params: { statementId: id } })

function StatementsDue() {
  const { today, dayFormat } = useDisplay()
  const { data = [] } = useQuery(statementsDueQuery())
  if (data.length === 0) return null
  const until = formatDay(addDays(firstOfMonth(today), -1), dayFormat)
  return (
    <InlineError tone="warning">
      No statement up to {until}: {data.map(({ name }) => name).join(", ")}.{" "}
      <Link to="/invoices/reconciliation/lines">Import a statement</Link>
    </InlineError>
  )
}

function StatementsPage() {
  const list = useLooseListPlace(address, Route.useSearch())
  const accounts = useQuery(bankAccountsQuery())
  const table = tableOf<BankStatementRow>(bankStatementsList)
  return (
    <ListPage>
      <PageHeader
        title="Bank statements"
        subtitle="Imported bank statement files and their lines"
        back={{ to: "/invoices/reconciliation/lines", label: "Back to Bank lines" }}
      />
      <StatementsDue />
      <DataTable
        {...table}
        filters={withFilterChoices(table.filters, {
          accountId: (accounts.data ?? []).map(({ id, name }) => ({ id, name })),
        })}
        savedViews
        list={list}
        query={(search) => api.banking.statements.queryOptions({ input: search })}
        exportFrom={{ path: "/api/bank-statements" }}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => row.number}
        rowLink={view}
        empty={{ title: "No statements yet", words: "Import a bank statement on the Bank lines page." }}
        noMatch="No statements match."
        failed="Failed to load bank statements"
      />
    </ListPage>
  )
}
