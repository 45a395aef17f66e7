import { Button } from "@mantine/core"
import type { RefundRow } from "@milkwood/domain/refunds/refunds.contract"
import { refundsList } from "@milkwood/domain/refunds/refunds.list"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { createFileRoute, linkOptions, useNavigate } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { usePayoutActions } from "../../payouts/payout-actions.tsx"
import { payoutQuery } from "../../payouts/payouts.api.ts"
import { useKeys } from "../../platform/keyboard.ts"
import { useSession } from "../../platform/session.ts"
import type { RowAction } from "../../ui/data-table/types.ts"
import { columnsOf, DataTable, tableOf } from "../../ui/data-table.tsx"
import { DayText } from "../../ui/day.tsx"
import { flagReader, listAddress, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { SummaryCards } from "../../ui/summary-cards.tsx"
import { refundsQuery } from "../refunds.api.ts"

const ProcessRefundDialog = lazy(() => import("../process-refund-dialog.tsx"))

export const Route = createFileRoute("/_app/finance/premium-refunds")({
  ...listAddress(refundsList, { new: flagReader }),
  staticData: { permission: "payouts.read" },
  component: PremiumRefundsPage,
})

const refundLink = (refundId: string) => linkOptions({ to: "/finance/premium-refunds/$refundId", params: { refundId } })

const columns = columnsOf<RefundRow, typeof refundsList>(refundsList, {
  number: { width: 150 },
  policyNumber: { width: 150 },
  amountCents: { width: 130 },
  periodFromOn: { width: 210, cell: (row) => <Period {...row} /> },
  reason: { width: 160 },
  refundedOn: { cell: ({ refundedOn }) => (refundedOn ? <DayText day={refundedOn} /> : "Pending") },
})

function Period({ periodFromOn, periodToOn }: Pick<RefundRow, "periodFromOn" | "periodToOn">) {
  if (!periodFromOn && !periodToOn) return "–"
  return (
    <>
      <DayText day={periodFromOn} /> to <DayText day={periodToOn} />
    </>
  )
}

const listInputOf = ({ new: _new, ...search }: ReturnType<typeof Route.useSearch>) => search

function PremiumRefundsPage() {
  const list = useListPlace(Route.useSearch())
  const navigate = useNavigate()
  const { can } = useSession()
  const process = useProcessRefundDialog()
  const { new: making, policyId } = list.search
  const { data, isError } = useQuery(refundsQuery(listInputOf(list.search)))
  const open = () => list.go({ new: true })
  useKeys({ n: open }, can("payouts.write") && !making)
  const cards = data?.cards
  return (
    <ListPage>
      <PageHeader
        title="Premium Refunds"
        subtitle="Manage premium refunds and overpayment processing"
        actions={
          can("payouts.write") && (
            <Button onClick={open} aria-keyshortcuts="n">
              Process Refund
            </Button>
          )
        }
      />
      <SummaryCards
        failed={isError}
        cards={[
          {
            label: "Pending Refunds",
            value: cards && <MoneyText cents={cards.pending.cents} />,
            hint: cards && `${cards.pending.count} refunds pending`,
          },
          {
            label: "Completed Refunds",
            value: cards && <MoneyText cents={cards.completed.cents} />,
            hint: cards && `${cards.completed.count} refunds completed`,
            active: list.search.status === "completed",
            link: linkOptions({
              to: "/finance/premium-refunds",
              search: list.search.status === "completed" ? {} : { status: "completed" },
            }),
          },
          { label: "Total Refunds", value: cards?.total, hint: "All time refunds" },
        ]}
      />
      <DataTable
        {...tableOf(refundsList)}
        filters={tableOf(refundsList).filters.filter(({ name }) => name !== "forMe" || can("payouts.write"))}
        savedViews
        list={list}
        query={(search) => refundsQuery(listInputOf(search))}
        exportFrom={{ path: "/api/refunds", input: listInputOf }}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => row.number}
        rowLink={(row) => refundLink(row.id)}
        rowActions={(row) => [{ label: "View", link: refundLink(row.id) }, ...process.of(row)]}
        pageTotal={{ label: "Amount", of: (row) => row.amountCents }}
        loading="Loading premium refunds..."
        empty={{
          title: "No refunds found matching your criteria.",
          words: "Refund a policy's credit here.",
        }}
        noMatch="No refunds found matching your criteria."
        failed="Failed to load premium refunds"
      />
      {process.dialogs}
      {making && can("payouts.write") && (
        <Suspense>
          <ProcessRefundDialog
            {...(policyId && !policyId.includes(",") ? { policyId } : {})}
            onClose={() => list.go({ new: undefined })}
            onDone={(refund) => void navigate(refundLink(refund.id))}
          />
        </Suspense>
      )}
    </ListPage>
  )
}

function useProcessRefundDialog() {
  const { of, dialogs } = usePayoutActions()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const step = async ({ id, payoutId }: RefundRow) => {
    if (payoutId !== null) {
      const payout = await queryClient.fetchQuery(payoutQuery(payoutId))
      const next = (["release", "complete"] as const).find((act) => payout.allowedActions.includes(act))
      if (next) return of({ id: payoutId })[next].onClick?.()
    }
    await navigate(refundLink(id))
  }
  return {
    dialogs,
    of: (row: RefundRow): RowAction[] =>
      row.status === "pending" || row.status === "processing"
        ? [{ label: "Process", onClick: () => void step(row) }]
        : [],
  }
}
