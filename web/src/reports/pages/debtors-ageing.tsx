import { ageBucketNames, ageBuckets } from "@milkwood/domain/billing/ageing"
import type { AgeingRow } from "@milkwood/domain/reports/reports.contract"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, linkOptions } from "@tanstack/react-router"
import { type Column, DataTable } from "../../ui/data-table.tsx"
import { DayText } from "../../ui/day.tsx"
import { DayInput } from "../../ui/day-input.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { aDay, addressOf, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { SummaryCards } from "../../ui/summary-cards.tsx"
import classes from "../catalogue.module.css"
import { ageingFile, ageingQuery } from "../reports.api.ts"

export const Route = createFileRoute("/_app/reports/debtors-ageing")({
  ...addressOf({
    sorts: ["totalCents", "groupName", "policyNumber", "over90", "oldestDueOn"],
    defaultSort: "totalCents",
    defaultDir: "desc",
    filters: { asOf: aDay },
  }),
  staticData: { permission: "reports.financial" },
  component: DebtorsAgeingPage,
})

const columns: Column<AgeingRow>[] = [
  { key: "groupName", header: "Group", sort: "groupName", width: 140, card: "title", cell: (row) => row.groupName },
  {
    key: "policyNumber",
    header: "Policy",
    sort: "policyNumber",
    width: 104,
    cell: (row) => <DocumentNumber>{row.policyNumber}</DocumentNumber>,
  },
  ...ageBuckets.map(
    (bucket): Column<AgeingRow> => ({
      key: bucket,
      header: ageBucketNames[bucket],
      align: "right",
      width: 80,
      ...(bucket === "over90" ? { sort: "over90" } : {}),
      cell: (row) => row[bucket] !== 0 && <MoneyText cents={row[bucket]} />,
    }),
  ),
  {
    key: "totalCents",
    header: "Total",
    sort: "totalCents",
    align: "right",
    width: 84,
    card: "aside",
    cell: (row) => <MoneyText cents={row.totalCents} />,
  },
  {
    key: "creditCents",
    header: "Credit",
    align: "right",
    width: 60,
    cell: (row) => row.creditCents !== 0 && <MoneyText cents={row.creditCents} />,
  },
  { key: "invoices", header: "Open invoices", align: "right", width: 120, hidden: true, cell: (row) => row.invoices },
  {
    key: "oldestDueOn",
    header: "Oldest due",
    sort: "oldestDueOn",
    // The ages say it already, and there is room for either.
    hidden: true,
    width: 80,
    cell: (row) => row.oldestDueOn && <DayText day={row.oldestDueOn} />,
  },
]

/** What each policy owed on a day, by age, and its credit: rows, and the totals that they add up to. */
function DebtorsAgeingPage() {
  const list = useListPlace(Route.useSearch())
  const { today } = useDisplay()
  const { data, isError } = useQuery(ageingQuery(list.search))
  return (
    <ListPage>
      <PageHeader
        title="Debtors' ageing"
        subtitle="What each policy owes, by how long it has been overdue"
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
            value: data && <MoneyText cents={data.totals[bucket]} />,
          })),
          {
            label: "Total owed",
            value: data && <MoneyText cents={data.totals.totalCents} />,
            hint: data && (
              <>
                Credit held <MoneyText cents={data.totals.creditCents} />
              </>
            ),
          },
        ]}
      />
      <DataTable
        name="debtors-ageing"
        savedViews
        noun={{ one: "policy", many: "policies" }}
        list={list}
        query={(search) => ageingQuery(search)}
        columns={columns}
        rowId={(row) => row.policyId}
        rowName={(row) => `${row.groupName}, ${row.policyNumber}`}
        rowLink={(row) => linkOptions({ to: "/invoices", search: { policyId: row.policyId, tab: "unpaid" } })}
        searchLabel="Search group or policy"
        exportHref={(search) => ageingFile(search)}
        pageTotal={{ label: "Owed", of: (row) => row.totalCents }}
        empty={{
          title: "Nobody owes anything",
          words: "No sent invoice wanted money on this day, and no policy held credit.",
        }}
        failed="Failed to load the report"
      />
    </ListPage>
  )
}
