import { ageBucketNames, ageBuckets } from "@milkwood/domain/billing/ageing"
import { debtorsAgeingList } from "@milkwood/domain/reports/debtors-ageing.list"
import type { AgeingRow } from "@milkwood/domain/reports/reports.contract"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, linkOptions } from "@tanstack/react-router"
import { columnsOf, DataTable, tableOf } from "../../ui/data-table.tsx"
import { DayText } from "../../ui/day.tsx"
import { DayInput } from "../../ui/day-input.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { dayReader, listAddress, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { SummaryCards } from "../../ui/summary-cards.tsx"
import classes from "../catalogue.module.css"
import { ageingQuery } from "../reports.api.ts"

export const Route = createFileRoute("/_app/reports/debtors-ageing")({
  ...listAddress(debtorsAgeingList, { asOf: dayReader }),
  staticData: { permission: "reports.financial" },
  component: DebtorsAgeingPage,
})

/** Zero is shown as an empty cell, so that amounts stand out. */
const amountOrBlank = (cents: number) => cents !== 0 && <MoneyText cents={cents} />

const columns = columnsOf<AgeingRow, typeof debtorsAgeingList>(debtorsAgeingList, {
  groupName: { width: 140 },
  policyNumber: { width: 104 },
  current: { width: 80, cell: (row) => amountOrBlank(row.current) },
  days1to30: { width: 80, cell: (row) => amountOrBlank(row.days1to30) },
  days31to60: { width: 80, cell: (row) => amountOrBlank(row.days31to60) },
  days61to90: { width: 80, cell: (row) => amountOrBlank(row.days61to90) },
  over90: { width: 80, cell: (row) => amountOrBlank(row.over90) },
  totalCents: { width: 84, card: "aside" },
  creditCents: { width: 76, cell: (row) => amountOrBlank(row.creditCents) },
  invoices: { width: 120 },
  oldestDueOn: { width: 80, cell: (row) => row.oldestDueOn && <DayText day={row.oldestDueOn} /> },
})

function DebtorsAgeingPage() {
  const list = useListPlace(Route.useSearch())
  const { today } = useDisplay()
  const { data, isError } = useQuery(ageingQuery(list.search))
  const sums = data?.sums
  return (
    <ListPage>
      <PageHeader
        title="Debtors' ageing"
        subtitle="Amounts owed by policy and days overdue"
        back={{ to: "/reports", label: "Back to Reports & Analytics" }}
        actions={
          <DayInput
            aria-label="As of"
            leftSection={<span className={classes.asOf}>As of</span>}
            leftSectionWidth={52}
            value={list.search.asOf ?? today}
            latest={today}
            w={190}
            onChange={(asOf) => asOf && list.go({ asOf })}
          />
        }
      />
      <SummaryCards
        failed={isError}
        cards={[
          ...ageBuckets.map((bucket) => ({
            label: ageBucketNames[bucket],
            value: sums && <MoneyText cents={sums[bucket]} />,
          })),
          {
            label: "Total owed",
            value: sums && <MoneyText cents={sums.totalCents} />,
            hint: sums && (
              <>
                Unallocated receipts <MoneyText cents={sums.creditCents} />
              </>
            ),
          },
        ]}
      />
      <DataTable
        {...tableOf(debtorsAgeingList)}
        savedViews
        list={list}
        query={(search) => ageingQuery(search)}
        columns={columns}
        rowId={(row) => row.policyId}
        rowName={(row) => `${row.groupName}, ${row.policyNumber}`}
        rowLink={(row) => linkOptions({ to: "/invoices", search: { policyId: row.policyId, tab: "unpaid" } })}
        exportFrom={{ path: "/api/debtors-ageing" }}
        pageTotal={{ label: "Owed", of: (row) => row.totalCents }}
        empty={{
          title: "No amounts owed",
          words: "On this day there were no unpaid invoices and no policy had credit.",
        }}
        failed="Failed to load the report"
      />
    </ListPage>
  )
}
