import { Button } from "@mantine/core"
import { formatMonth } from "@milkwood/domain/kernel/calendar"
import type { ReconciliationRow } from "@milkwood/domain/reconciliation/reconciliation.contract"
import { reconciliationList } from "@milkwood/domain/reconciliation/reconciliation.list"
import { IconChecklist, IconFileText } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { bankAccountsQuery } from "../../banking/banking.api.ts"
import { monthsAround } from "../../collection/months.ts"
import { api } from "../../platform/api.ts"
import { useSession } from "../../platform/session.ts"
import { columnsOf, DataTable, tableOf, withFilterChoices } from "../../ui/data-table.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { listAddress, textReader, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { SummaryCards } from "../../ui/summary-cards.tsx"

const MonthDialog = lazy(() => import("../month-dialog.tsx"))

export const Route = createFileRoute("/_app/invoices/reconciliation")({
  ...listAddress(reconciliationList, { opened: textReader }),
  staticData: { permission: "collection.read" },
  component: ReconciliationPage,
})

const columns = columnsOf<ReconciliationRow, typeof reconciliationList>(reconciliationList, {
  groupName: { width: 225, wide: true },
  expected: { width: 120 },
  received: { width: 120 },
  difference: { width: 120 },
  status: { width: 108 },
  reconciledOn: { width: 116 },
  notes: { width: 195 },
})

const monthAddressOf = ({ groupId, month }: Pick<ReconciliationRow, "groupId" | "month">) => `${month}.${groupId}`

function ReconciliationPage() {
  const { opened, ...search } = Route.useSearch()
  const list = useListPlace(search)
  const navigate = Route.useNavigate()
  const { can } = useSession()
  const { today } = useDisplay()
  const { data, isError } = useQuery(
    api.reconciliation.list.queryOptions({ input: search, placeholderData: (before) => before }),
  )
  const accounts = useQuery(bankAccountsQuery())
  const cards = data?.cards
  const table = tableOf<ReconciliationRow>(reconciliationList)
  const [month, groupId] = opened?.split(".") ?? []
  const show = (row: ReconciliationRow) =>
    linkOptions({ to: "/invoices/reconciliation", search: { ...search, opened: monthAddressOf(row) } })
  const close = () => void navigate({ search: ({ opened: _, ...before }) => before, replace: true })
  return (
    <ListPage>
      <PageHeader
        title="Premium Reconciliation"
        subtitle="Expected and received premiums per employer and month"
        actions={
          <>
            <Button
              variant="default"
              component={Link}
              {...(linkOptions({ to: "/invoices/reconciliation/lines" }) as object)}
            >
              Bank lines
            </Button>
            <Button
              variant="default"
              component={Link}
              {...(linkOptions({ to: "/invoices/reconciliation/remittances" }) as object)}
            >
              Remittance lists
            </Button>
            {can("banking.write") && (
              <Button
                component={Link}
                {...(linkOptions({ to: "/invoices/reconciliation/lines", search: { import: true } }) as object)}
              >
                Import Bank Statement
              </Button>
            )}
          </>
        }
      />
      <SummaryCards
        failed={isError}
        cards={[
          { label: "Expected", value: cards && <MoneyText cents={cards.expectedCents} /> },
          { label: "Received", value: cards && <MoneyText cents={cards.receivedCents} /> },
          {
            label: "Difference",
            value: cards && <MoneyText cents={cards.differenceCents} />,
            active: search.unresolved === true,
            link: linkOptions({
              to: "/invoices/reconciliation",
              search: { ...search, page: 1, unresolved: search.unresolved ? undefined : true },
            }),
          },
          {
            label: "Lines to match",
            value: accounts.data?.reduce((sum, { openCount }) => sum + openCount, 0).toLocaleString("en-ZA"),
            link: linkOptions({ to: "/invoices/reconciliation/match", search: {} }),
          },
        ]}
      />
      <DataTable
        {...table}
        filters={withFilterChoices(table.filters, { month: monthsAround(today) })}
        savedViews
        list={list}
        query={(asked) => api.reconciliation.list.queryOptions({ input: asked })}
        exportFrom={{ path: "/api/reconciliation", isPaper: true, label: "Export Report" }}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => `${row.groupName}, ${formatMonth(row.month)}`}
        rowLink={show}
        rowActions={(row) => [
          {
            label: row.allowedActions.length > 0 ? "Resolve" : "View month",
            icon: <IconChecklist size={16} />,
            link: show(row),
          },
          {
            label: "View collection",
            icon: <IconFileText size={16} />,
            link: linkOptions({
              to: "/invoices/collection",
              search: { groupId: row.groupId, month: row.month.slice(0, 7) },
            }),
          },
        ]}
        pageTotal={{ label: "Difference", of: (row) => row.differenceCents }}
        empty={{
          title: "No months yet",
          words: "A month appears when its first invoice is sent or money is received.",
        }}
        failed="Failed to load premium reconciliation"
      />
      {month && groupId && (
        <Suspense fallback={null}>
          <MonthDialog key={opened} month={month} groupId={groupId} onClose={close} />
        </Suspense>
      )}
    </ListPage>
  )
}
