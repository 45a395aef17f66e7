import { Button } from "@mantine/core"
import type { InvoiceRow } from "@milkwood/domain/billing/billing.contract"
import { type InvoiceTab, invoiceTabNames } from "@milkwood/domain/billing/invoice-statuses"
import { IconDownload, IconEye, IconPencil, IconSend } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import { api, type client } from "../../platform/api.ts"
import { useKeys } from "../../platform/keys.ts"
import { useSession } from "../../platform/session.ts"
import { type Column, DataTable, type RowAction } from "../../ui/data-table.tsx"
import { DayText } from "../../ui/day.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { aDay, listAddress, text, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { SummaryCards } from "../../ui/summary-cards.tsx"
import { pdfHref } from "../billing.api.ts"
import { useSendInvoice } from "../use-send-invoice.tsx"

export const Route = createFileRoute("/_app/invoices")({
  ...listAddress({
    sorts: [
      "createdAt",
      "number",
      "groupName",
      "policyNumber",
      "invoiceOn",
      "dueOn",
      "totalCents",
      "openCents",
      "status",
    ],
    defaultSort: "createdAt",
    defaultDir: "desc",
    tabs: invoiceTabNames,
    filters: { policyId: text, groupId: text, invoicedFrom: aDay, invoicedTo: aDay },
  }),
  staticData: { permission: "invoices.read" },
  component: InvoicesPage,
})

type InvoiceList = Awaited<ReturnType<typeof client.billing.list>>

const tabLabels: Record<InvoiceTab, string> = {
  all: "All",
  drafts: "Drafts",
  sent: "Sent",
  paid: "Paid",
  overdue: "Overdue",
}

const columns: Column<InvoiceRow>[] = [
  {
    key: "number",
    header: "Invoice",
    sort: "number",
    width: 150,
    card: "title",
    cell: (row) => <DocumentNumber>{row.number}</DocumentNumber>,
  },
  { key: "group", header: "Group name", sort: "groupName", cell: (row) => row.groupName },
  {
    key: "policy",
    header: "Policy",
    sort: "policyNumber",
    width: 140,
    cell: (row) => <DocumentNumber>{row.policyNumber}</DocumentNumber>,
  },
  {
    key: "period",
    header: "Period",
    width: 190,
    hidden: true,
    cell: (row) => (
      <>
        <DayText day={row.periodStartOn} /> – <DayText day={row.periodEndOn} />
      </>
    ),
  },
  {
    key: "invoiceOn",
    header: "Invoice date",
    sort: "invoiceOn",
    width: 112,
    cell: (row) => <DayText day={row.invoiceOn} />,
  },
  { key: "dueOn", header: "Due date", sort: "dueOn", width: 112, cell: (row) => <DayText day={row.dueOn} /> },
  {
    key: "total",
    header: "Amount",
    sort: "totalCents",
    align: "right",
    width: 130,
    cell: (row) => <MoneyText cents={row.totalCents} />,
  },
  {
    key: "open",
    header: "Outstanding",
    sort: "openCents",
    align: "right",
    width: 130,
    cell: (row) => <MoneyText cents={row.openCents} />,
  },
  {
    key: "status",
    header: "Status",
    sort: "status",
    width: 116,
    card: "aside",
    cell: (row) => <StatusBadge status={row.status} />,
  },
]

/** Every invoice the reader may see: figures that filter, tabs, search, and what may be done with each. */
function InvoicesPage() {
  const list = useListPlace(Route.useSearch())
  const { can } = useSession()
  const send = useSendInvoice()
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
    link: linkOptions({ to: "/invoices", search: { tab: tab === to ? "all" : to } }),
  })
  const actions = (row: InvoiceRow): RowAction[] => {
    const params = { invoiceId: row.id }
    const offered: RowAction[] = [
      { label: "View invoice", icon: <IconEye size={16} />, link: linkOptions({ to: "/invoices/$invoiceId", params }) },
    ]
    if (row.allowedActions.includes("edit")) {
      offered.push({
        label: "Edit invoice",
        icon: <IconPencil size={16} />,
        link: linkOptions({ to: "/invoices/$invoiceId/edit", params }),
      })
    }
    if (row.allowedActions.includes("send")) {
      offered.push({ label: "Send invoice", icon: <IconSend size={16} />, onClick: () => void send(row) })
    }
    if (row.allowedActions.includes("download")) {
      offered.push({ label: "Download PDF", icon: <IconDownload size={16} />, href: pdfHref(row.id) })
    }
    return offered
  }

  return (
    <ListPage>
      <PageHeader title="Invoices" subtitle="What groups are billed, and what they have paid" actions={generate} />
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
        name="invoices"
        savedViews
        noun={{ one: "invoice", many: "invoices" }}
        list={list}
        query={(search) => api.billing.list.queryOptions({ input: search })}
        exportFrom={{ path: "/api/invoices.csv" }}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => row.number}
        rowLink={(row) => linkOptions({ to: "/invoices/$invoiceId", params: { invoiceId: row.id } })}
        rowActions={actions}
        tabs={invoiceTabNames.map((value) => ({
          value,
          label: tabLabels[value],
          count: (answer: InvoiceList) => answer.counts[value] ?? 0,
        }))}
        filters={[{ name: "invoicedFrom", until: "invoicedTo", label: "Invoice date", kind: "days" }]}
        searchLabel="Search invoice, group or policy"
        pageTotal={{ label: "Invoiced", of: (row) => (row.status === "cancelled" ? null : row.totalCents) }}
        empty={{
          title: "No invoices found.",
          words: "An invoice bills a policy's members for a month.",
          action: generate,
        }}
        noMatch="No invoices found."
        failed="Failed to load invoices data"
      />
    </ListPage>
  )
}
