import { Button } from "@mantine/core"
import type { InvoiceRow } from "@milkwood/domain/billing/billing.contract"
import { deliveryExceptions } from "@milkwood/domain/billing/delivery"
import type { InvoiceTab } from "@milkwood/domain/billing/invoice"
import { invoicesList } from "@milkwood/domain/billing/invoices.list"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import { api } from "../../platform/api.ts"
import { useKeys } from "../../platform/keyboard.ts"
import { useSession } from "../../platform/session.ts"
import { columnsOf, DataTable, tableOf } from "../../ui/data-table.tsx"
import { DayText } from "../../ui/day.tsx"
import { listAddress, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { allowedSteps } from "../../ui/record-actions.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { SummaryCards } from "../../ui/summary-cards.tsx"
import classes from "../invoice.module.css"
import { useInvoiceActions } from "../invoice-actions.tsx"
import { invoiceBulkSteps } from "../invoice-bulk-steps.ts"

export const Route = createFileRoute("/_app/invoices")({
  ...listAddress(invoicesList),
  staticData: { permission: "invoices.read" },
  component: InvoicesPage,
})

const columns = columnsOf<InvoiceRow, typeof invoicesList>(invoicesList, {
  policy: { width: 140 },
  period: {
    width: 190,
    cell: (row) => (
      <>
        <DayText day={row.periodStartOn} /> – <DayText day={row.periodEndOn} />
      </>
    ),
  },
  invoiceOn: { width: 112 },
  dueOn: { width: 112 },
  status: {
    width: 116,
    cell: ({ status, mail, openCents }) => (
      <span className={classes.statusCell}>
        <StatusBadge status={status} />
        {mail !== null && deliveryExceptions[mail] && openCents > 0 && (
          <StatusBadge status={mail === "queued" ? "waiting" : mail} label={deliveryExceptions[mail]} />
        )}
      </span>
    ),
  },
})

const view = (row: InvoiceRow) => linkOptions({ to: "/invoices/$invoiceId", params: { invoiceId: row.id } })

function InvoicesPage() {
  const list = useListPlace(Route.useSearch())
  const { can } = useSession()
  const { of, dialogs } = useInvoiceActions()
  const mayWrite = can("invoices.write")
  const navigate = Route.useNavigate()
  useKeys(mayWrite ? { n: () => void navigate({ to: "/invoices/generate" }) } : {})
  const { data, isError } = useQuery(
    api.billing.list.queryOptions({ input: list.search, placeholderData: (before) => before }),
  )
  const cards = data?.cards
  const { tab } = list.search

  const generate = mayWrite && (
    <Button renderRoot={(props) => <Link {...props} to="/invoices/generate" />}>Generate invoice</Button>
  )
  const cardTab = (to: InvoiceTab) => ({
    active: to !== "all" && tab === to,
    link: linkOptions({ to: "/invoices", search: { ...list.search, page: 1, tab: tab === to ? "all" : to } }),
  })
  return (
    <ListPage>
      <PageHeader title="Invoices" subtitle="Amounts billed to groups, and their payments" actions={generate} />
      <SummaryCards
        failed={isError}
        cards={[
          { label: "Total invoices", value: cards?.invoices, ...cardTab("all") },
          { label: "Total revenue", value: cards && <MoneyText cents={cards.revenueCents} />, ...cardTab("paid") },
          { label: "Pending amount", value: cards && <MoneyText cents={cards.pendingCents} />, ...cardTab("sent") },
          { label: "Overdue", value: cards?.overdue, ...cardTab("overdue") },
        ]}
      />
      <DataTable
        {...tableOf(invoicesList)}
        savedViews
        list={list}
        query={(search) => api.billing.list.queryOptions({ input: search })}
        exportFrom={{ path: "/api/invoices" }}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => row.number}
        rowLink={view}
        rowActions={(row) => [{ label: "View invoice", link: view(row) }, ...allowedSteps(row, of(row))]}
        bulkSteps={invoiceBulkSteps}
        pageTotal={
          tab === "unpaid" || tab === "overdue"
            ? { label: "Outstanding", of: (row) => row.openCents }
            : { label: "Invoiced", of: (row) => (row.status === "cancelled" ? null : row.totalCents) }
        }
        empty={{
          title: "No invoices found.",
          words: "An invoice bills a policy's members for a month.",
          action: generate,
        }}
        noMatch="No invoices found."
        failed="Failed to load invoices data"
      />
      {dialogs}
    </ListPage>
  )
}
