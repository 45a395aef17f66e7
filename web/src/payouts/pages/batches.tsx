import { Button } from "@mantine/core"
import type { BatchRow } from "@milkwood/domain/payouts/batches.contract"
import { batchesList } from "@milkwood/domain/payouts/batches.list"
import { createFileRoute, linkOptions, useNavigate } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { useKeys } from "../../platform/keyboard.ts"
import { useSession } from "../../platform/session.ts"
import { columnsOf, DataTable, tableOf } from "../../ui/data-table.tsx"
import { flagReader, listAddress, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { batchesQuery } from "../payouts.api.ts"

const BatchDialog = lazy(() => import("../batch-dialog.tsx"))

export const Route = createFileRoute("/_app/finance/payment-batches")({
  ...listAddress(batchesList, { new: flagReader }),
  staticData: { permission: "payouts.read" },
  component: BatchesPage,
})

const batchLink = (batchId: string) => linkOptions({ to: "/finance/payment-batches/$batchId", params: { batchId } })

const columns = columnsOf<BatchRow, typeof batchesList>(batchesList, {
  number: { width: 160 },
  amountCents: { width: 140 },
})

const listInputOf = ({ new: _new, ...search }: ReturnType<typeof Route.useSearch>) => search

function BatchesPage() {
  const list = useListPlace(Route.useSearch())
  const navigate = useNavigate()
  const { can } = useSession()
  const open = () => list.go({ new: true })
  const close = () => list.go({ new: undefined })
  useKeys({ n: open }, can("payouts.write"))
  return (
    <ListPage>
      <PageHeader
        title="Payment batches"
        subtitle="Payments from one account on one day: prepared by one person, released by another, sent to the bank as one file"
        back={{ to: "/finance/claims-payments", label: "Back to Claims Payments" }}
        actions={
          can("payouts.write") && (
            <Button onClick={open} aria-keyshortcuts="n">
              Create batch
            </Button>
          )
        }
      />
      <DataTable
        {...tableOf(batchesList)}
        savedViews
        list={list}
        query={(search) => batchesQuery(listInputOf(search))}
        exportFrom={{ path: "/api/payment-batches", input: listInputOf }}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => row.number}
        rowLink={(row) => batchLink(row.id)}
        rowActions={(row) => [{ label: "View batch", link: batchLink(row.id) }]}
        pageTotal={{ label: "Amount", of: (row) => row.amountCents }}
        empty={{ title: "No batches yet", words: "Combine payments that are waiting for release into a batch." }}
        noMatch="No batches match."
        failed="Failed to load the batches"
      />
      {list.search.new && can("payouts.write") && (
        <Suspense>
          <BatchDialog onClose={close} onDone={(batch) => void navigate(batchLink(batch.id))} />
        </Suspense>
      )}
    </ListPage>
  )
}
