import { Button, Title } from "@mantine/core"
import type { ReceiptRow } from "@milkwood/domain/receipts/receipts.contract"
import { receiptsList } from "@milkwood/domain/receipts/receipts.list"
import { createFileRoute, linkOptions, useNavigate } from "@tanstack/react-router"
import { useKeys } from "../../platform/keyboard.ts"
import { useSession } from "../../platform/session.ts"
import { columnsOf, DataTable, tableOf } from "../../ui/data-table.tsx"
import { flagReader, listAddress, textReader, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { allowedSteps } from "../../ui/record-actions.tsx"
import { NewReceipt } from "../new-receipt.tsx"
import { useReceiptActions } from "../receipt-actions.tsx"
import { receiptsQuery } from "../receipts.api.ts"

export const Route = createFileRoute("/_app/finance/receipting")({
  ...listAddress(receiptsList, { new: flagReader, invoiceId: textReader }),
  staticData: { permission: "receipts.read" },
  component: ReceiptingPage,
})

const receiptLink = (receiptId: string) => linkOptions({ to: "/finance/receipting/$receiptId", params: { receiptId } })

const columns = columnsOf<ReceiptRow, typeof receiptsList>(receiptsList, {
  number: { width: 160 },
  amountCents: { width: 140 },
  method: { width: 150 },
  reference: { width: 160 },
  depositNumber: { width: 160 },
})

const listInputOf = ({ new: _new, invoiceId: _invoice, ...search }: ReturnType<typeof Route.useSearch>) => search

function ReceiptingPage() {
  const list = useListPlace(Route.useSearch())
  const navigate = useNavigate()
  const { can } = useSession()
  const { of, oldestFirst, dialogs } = useReceiptActions()
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
        <NewReceipt
          {...(list.search.policyId ? { policyId: list.search.policyId } : {})}
          {...(list.search.invoiceId ? { invoiceId: list.search.invoiceId } : {})}
          onCancel={close}
          onDone={(receiptId) => void navigate(receiptLink(receiptId))}
        />
      )}
      <Title order={2} size="h5" mb={4}>
        Receipt History
      </Title>
      <DataTable
        {...tableOf(receiptsList)}
        savedViews
        list={list}
        query={(search) => receiptsQuery(listInputOf(search))}
        exportFrom={{ path: "/api/receipts", input: listInputOf }}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => row.number}
        rowLink={(row) => receiptLink(row.id)}
        rowActions={(row) => [
          { label: "View receipt", link: receiptLink(row.id) },
          ...oldestFirst(row),
          ...allowedSteps(row, of(row)),
        ]}
        pageTotal={{ label: "Received", of: (row) => (row.status === "Reversed" ? null : row.amountCents) }}
        empty={{ title: "No receipts yet", words: "Record received payments here." }}
        noMatch="No receipts match."
        failed="Failed to load receipts"
      />
      {dialogs}
    </ListPage>
  )
}
