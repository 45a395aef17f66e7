import { formatMonth } from "@milkwood/domain/kernel/calendar"
import type { MonthPolicyRow } from "@milkwood/domain/month-end/month-end.contract"
import { monthPoliciesList, monthPolicyStateNames } from "@milkwood/domain/month-end/month-policies.list"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { api, newKey } from "../../platform/api.ts"
import { columnsOf, DataTable, tableOf, withFilterChoices } from "../../ui/data-table.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { listAddress, untypedListAddress, useLooseListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { allowedSteps } from "../../ui/record-actions.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { useMonthEndCommands } from "../month-end.api.ts"
import { monthChoices, selectedMonth } from "../months.ts"

const ReasonDialog = lazy(() => import("../../ui/reason-dialog.tsx"))

export const Route = createFileRoute("/_app/finance/month-end/policies")({
  ...untypedListAddress,
  staticData: { permission: "monthEnd.read" },
  component: MonthPoliciesPage,
})

const address = listAddress(monthPoliciesList)

const stateLooks = { open: "pending", excused: "draft", billed: "done" } as const

const columns = columnsOf<MonthPolicyRow, typeof monthPoliciesList>(monthPoliciesList, {
  policyNumber: { width: 150 },
  state: {
    width: 120,
    cell: ({ state }) => <StatusBadge status={stateLooks[state]} label={monthPolicyStateNames[state]} />,
  },
  invoiceNumber: {
    width: 160,
    cell: ({ invoiceId, invoiceNumber }) =>
      invoiceId && (
        <Link to="/invoices/$invoiceId" params={{ invoiceId }}>
          <DocumentNumber>{invoiceNumber}</DocumentNumber>
        </Link>
      ),
  },
  reason: { wide: true },
  excusedByName: { width: 160 },
})

const policyLinkOf = ({ policyId }: MonthPolicyRow) => linkOptions({ to: "/policies/$policyId", params: { policyId } })

/** Policies active on the first day of the month: billed, excused with a reason, or neither. */
function MonthPoliciesPage() {
  const list = useLooseListPlace(address, Route.useSearch())
  const { today } = useDisplay()
  const month = selectedMonth(list.search.month, today)
  const [excusing, setExcusing] = useState<string[]>()
  const { excuse, withdrawExcuses } = useMonthEndCommands()
  const table = tableOf<MonthPolicyRow>(monthPoliciesList)
  return (
    <ListPage>
      <PageHeader
        title="Policies to bill"
        subtitle={`Policies active on the first day of ${formatMonth(month)}`}
        back={{
          ...linkOptions({ to: "/finance/month-end", search: { month: month.slice(0, 7) } }),
          label: "Back to Month end",
        }}
      />
      <DataTable
        {...table}
        filters={withFilterChoices(table.filters, { month: monthChoices(today) })}
        list={list}
        query={(search) => api.monthEnd.policies.queryOptions({ input: search })}
        exportFrom={{ path: "/api/month-policies" }}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => `${row.groupName}, ${row.policyNumber}`}
        rowLink={policyLinkOf}
        rowActions={(row) => [
          { label: "View policy", link: policyLinkOf(row) },
          ...allowedSteps(row, {
            excuse: { label: "Excuse", onClick: () => setExcusing([row.policyId]) },
            takeBack: {
              label: "Withdraw excuse",
              onClick: () => withdrawExcuses.mutate({ month, policyIds: [row.policyId], idempotencyKey: newKey() }),
            },
          }),
        ]}
        bulkActions={[
          {
            label: "Excuse",
            run: (selection) => {
              if ("ids" in selection) setExcusing(selection.ids)
              return false
            },
          },
        ]}
        empty={{
          title: "No policies left to bill",
          words: "Every policy that was active on the first day of the month is billed or excused.",
        }}
        failed="Failed to load policies"
      />
      <Suspense fallback={null}>
        {excusing && (
          <ReasonDialog
            title={excusing.length === 1 ? "Excuse policy" : `Excuse ${excusing.length} policies`}
            submit="Excuse"
            words={`The month closes without an invoice for ${formatMonth(month)}. The amount stays owed: a later run bills it.`}
            maxLength={500}
            save={(given) => excuse.mutateAsync({ month, policyIds: excusing, ...given })}
            onClose={() => setExcusing(undefined)}
          />
        )}
      </Suspense>
    </ListPage>
  )
}
