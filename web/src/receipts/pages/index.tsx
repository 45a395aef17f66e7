import { Button, Title } from "@mantine/core"
import { receiptMethodNames } from "@milkwood/domain/receipts/receipt"
import { receiptStatuses } from "@milkwood/domain/receipts/receipt-statuses"
import type { ReceiptRow } from "@milkwood/domain/receipts/receipts.contract"
import { createFileRoute, linkOptions, useNavigate } from "@tanstack/react-router"
import { useKeys } from "../../platform/keyboard.ts"
import { useSession } from "../../platform/session.ts"
import { type Column, DataTable } from "../../ui/data-table.tsx"
import { DayText } from "../../ui/day.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { aDay, addressOf, flag, oneOf, text, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { ReceiptForm } from "../receipt-form.tsx"
import { receiptsQuery } from "../receipts.api.ts"

export const Route = createFileRoute("/_app/finance/receipting")({
  ...addressOf({
    sorts: ["receivedOn", "number", "amountCents", "groupName"],
    defaultSort: "receivedOn",
    defaultDir: "desc",
    filters: {
      status: oneOf(receiptStatuses),
      policyId: text,
      receivedFrom: aDay,
      receivedTo: aDay,
      new: flag,
      invoiceId: text,
    },
  }),
  staticData: { permission: "receipts.read" },
  component: ReceiptingPage,
})

const linkTo = (receiptId: string) => linkOptions({ to: "/finance/receipting/$receiptId", params: { receiptId } })

const columns: Column<ReceiptRow>[] = [
  {
    key: "number",
    header: "Receipt Number",
    sort: "number",
    width: 160,
    card: "title",
    cell: (row) => <DocumentNumber>{row.number}</DocumentNumber>,
  },
  {
    key: "policyNumber",
    header: "Policy",
    width: 150,
    cell: (row) => <DocumentNumber>{row.policyNumber}</DocumentNumber>,
  },
  { key: "groupName", header: "Group Name", sort: "groupName", cell: (row) => row.groupName },
  {
    key: "amountCents",
    header: "Amount",
    sort: "amountCents",
    align: "right",
    width: 140,
    cell: (row) => <MoneyText cents={row.amountCents} />,
  },
  { key: "method", header: "Payment Method", width: 150, cell: (row) => receiptMethodNames[row.method] },
  { key: "reference", header: "Reference", width: 160, hidden: true, cell: (row) => row.reference },
  {
    key: "receivedOn",
    header: "Date",
    sort: "receivedOn",
    width: 120,
    cell: (row) => <DayText day={row.receivedOn} />,
  },
  { key: "status", header: "Status", width: 120, card: "aside", cell: (row) => <StatusBadge status={row.status} /> },
]

const inputOf = ({ new: _new, invoiceId: _invoice, ...search }: ReturnType<typeof Route.useSearch>) => search

/** Receipting: money that came in, and what it was set against. */
function ReceiptingPage() {
  const list = useListPlace(Route.useSearch())
  const navigate = useNavigate()
  const { can } = useSession()
  const opened = list.search.new === true && can("receipts.write")
  const open = () => list.go({ new: true })
  const close = () => list.go({ new: undefined, invoiceId: undefined })
  useKeys({ n: open }, can("receipts.write") && !opened)
  return (
    <ListPage>
      <PageHeader
        title="Receipting"
        subtitle="Create and manage receipts for policy payments"
        actions={
          can("receipts.write") &&
          !opened && (
            <Button onClick={open} aria-keyshortcuts="n">
              New Receipt
            </Button>
          )
        }
      />
      {opened && (
        <ReceiptForm
          {...(list.search.policyId ? { policyId: list.search.policyId } : {})}
          {...(list.search.invoiceId ? { invoiceId: list.search.invoiceId } : {})}
          onCancel={close}
          onDone={(receipt) => void navigate(linkTo(receipt.id))}
        />
      )}
      <Title order={2} size="h5" mb={4}>
        Receipt History
      </Title>
      <DataTable
        name="receipts"
        savedViews
        noun={{ one: "receipt", many: "receipts" }}
        list={list}
        query={(search) => receiptsQuery(inputOf(search))}
        exportFrom={{ path: "/api/receipts.csv", input: inputOf }}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => row.number}
        rowLink={(row) => linkTo(row.id)}
        rowActions={(row) => [{ label: "View", link: linkTo(row.id) }]}
        searchLabel="Search number, policy, group or reference"
        filters={[
          {
            name: "status",
            label: "Status",
            kind: "choice",
            options: receiptStatuses.map((value) => ({ value, label: value })),
          },
          { name: "receivedFrom", until: "receivedTo", label: "Date", kind: "days" },
        ]}
        pageTotal={{ label: "Received", of: (row) => (row.status === "Reversed" ? null : row.amountCents) }}
        empty={{ title: "No receipts yet", words: "Money that comes in is recorded here." }}
        noMatch="No receipts match."
        failed="Failed to load receipts"
      />
    </ListPage>
  )
}
