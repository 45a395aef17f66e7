import { formatMonth } from "@milkwood/domain/kernel/calendar"
import { creditStateNames, monthCreditsList } from "@milkwood/domain/month-end/month-credits.list"
import type { MonthCreditRow } from "@milkwood/domain/month-end/month-end.contract"
import { createFileRoute, linkOptions } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { api, newKey } from "../../platform/api.ts"
import { columnsOf, DataTable, tableOf, withFilterChoices } from "../../ui/data-table.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { listAddress, untypedListAddress, useLooseListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { allowedSteps } from "../../ui/record-actions.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { useMonthEndCommands } from "../month-end.api.ts"
import { monthChoices, selectedMonth } from "../months.ts"

const ReasonDialog = lazy(() => import("../../ui/reason-dialog.tsx"))

export const Route = createFileRoute("/_app/finance/month-end/credits")({
  ...untypedListAddress,
  staticData: { permission: "monthEnd.read" },
  component: MonthCreditsPage,
})

const address = listAddress(monthCreditsList)

const columns = columnsOf<MonthCreditRow, typeof monthCreditsList>(monthCreditsList, {
  number: { width: 160 },
  policyNumber: { width: 150 },
  receivedOn: { width: 112 },
  amount: { width: 130 },
  credit: { width: 130 },
  state: {
    width: 140,
    cell: ({ state }) => <StatusBadge status={state === "kept" ? "done" : "pending"} label={creditStateNames[state]} />,
  },
  reason: { wide: true },
})

const receiptLinkOf = ({ id }: MonthCreditRow) =>
  linkOptions({ to: "/finance/receipting/$receiptId", params: { receiptId: id } })

/** Receipts with unallocated amounts, and whether each is left as credit deliberately. */
function MonthCreditsPage() {
  const list = useLooseListPlace(address, Route.useSearch())
  const { today } = useDisplay()
  const month = selectedMonth(list.search.month, today)
  const [keeping, setKeeping] = useState<string[]>()
  const { keepCredit, stopKeepingCredit } = useMonthEndCommands()
  const table = tableOf<MonthCreditRow>(monthCreditsList)
  return (
    <ListPage>
      <PageHeader
        title="Receipts with credit"
        subtitle={`Received up to the end of ${formatMonth(month)} and not allocated`}
        back={{
          ...linkOptions({ to: "/finance/month-end", search: { month: month.slice(0, 7) } }),
          label: "Back to Month end",
        }}
      />
      <DataTable
        {...table}
        filters={withFilterChoices(table.filters, { month: monthChoices(today) })}
        list={list}
        query={(search) => api.monthEnd.credits.queryOptions({ input: search })}
        exportFrom={{ path: "/api/month-credits" }}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => row.number}
        rowLink={receiptLinkOf}
        rowActions={(row) => [
          { label: "View receipt", link: receiptLinkOf(row) },
          ...allowedSteps(row, {
            keep: { label: "Keep as credit", onClick: () => setKeeping([row.id]) },
            takeBack: {
              label: "Allocate instead",
              onClick: () => stopKeepingCredit.mutate({ receiptIds: [row.id], idempotencyKey: newKey() }),
            },
          }),
        ]}
        bulkActions={[
          {
            label: "Keep as credit",
            run: (selection) => {
              if ("ids" in selection) setKeeping(selection.ids)
              return false
            },
          },
        ]}
        pageTotal={{ label: "Credit", of: (row) => row.creditCents }}
        empty={{ title: "No unallocated receipts", words: "Every receipt is allocated or kept as credit." }}
        failed="Failed to load receipts"
      />
      <Suspense fallback={null}>
        {keeping && (
          <ReasonDialog
            title={keeping.length === 1 ? "Keep as credit" : `Keep ${keeping.length} receipts as credit`}
            submit="Keep as credit"
            words="The unallocated amount stays on the policy as credit. You can still allocate it at any time."
            maxLength={500}
            save={(given) => keepCredit.mutateAsync({ receiptIds: keeping, ...given })}
            onClose={() => setKeeping(undefined)}
          />
        )}
      </Suspense>
    </ListPage>
  )
}
