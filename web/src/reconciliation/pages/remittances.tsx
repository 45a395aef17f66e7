import { Button } from "@mantine/core"
import type { RemittanceRow } from "@milkwood/domain/reconciliation/remittance.contract"
import { remittancesList } from "@milkwood/domain/reconciliation/remittances.list"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { monthsAround } from "../../collection/months.ts"
import { api } from "../../platform/api.ts"
import { useKeys } from "../../platform/keyboard.ts"
import { useSession } from "../../platform/session.ts"
import { columnsOf, DataTable, tableOf, withFilterChoices } from "../../ui/data-table.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { listAddress, textReader, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { PageHeader } from "../../ui/page-header.tsx"

const RemittanceDialog = lazy(() => import("../remittance-dialog.tsx"))

/** Address parameter: an invoice id, or this value if it is not chosen yet. */
const newComparison = "new"

export const Route = createFileRoute("/_app/invoices/reconciliation/remittances")({
  ...listAddress(remittancesList, { compare: textReader }),
  staticData: { permission: "collection.read" },
  component: RemittancesPage,
})

const columns = columnsOf<RemittanceRow, typeof remittancesList>(remittancesList, {
  fileName: { width: 205, wide: true },
  groupName: { width: 165 },
  invoiceNumber: {
    width: 145,
    cell: ({ invoiceId, invoiceNumber }) => (
      <Link to="/invoices/$invoiceId" params={{ invoiceId }}>
        <DocumentNumber>{invoiceNumber}</DocumentNumber>
      </Link>
    ),
  },
  createdAt: { width: 112 },
  paid: { width: 120 },
  billed: { width: 120 },
  difference: { width: 120 },
  by: { width: 130 },
  differing: { width: 110, cell: ({ differingCount }) => differingCount ?? "Columns not chosen" },
})

const view = ({ id }: RemittanceRow) =>
  linkOptions({ to: "/invoices/reconciliation/remittances/$remittanceId", params: { remittanceId: id } })

function RemittancesPage() {
  const { compare, ...search } = Route.useSearch()
  const list = useListPlace(search)
  const navigate = Route.useNavigate()
  const { can } = useSession()
  const { today } = useDisplay()
  const mayLay = can("collection.write")
  const show = (asked: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, compare: asked }), replace: true })
  useKeys({ n: () => show(newComparison) }, mayLay && compare === undefined)
  const table = tableOf<RemittanceRow>(remittancesList)
  return (
    <ListPage>
      <PageHeader
        title="Remittance lists"
        subtitle="Compare the members that employers paid for with the invoices"
        back={{ to: "/invoices/reconciliation", label: "Back to Reconciliation" }}
        actions={
          mayLay && (
            <Button onClick={() => show(newComparison)} aria-keyshortcuts="n">
              Add list
            </Button>
          )
        }
      />
      <DataTable
        {...table}
        filters={withFilterChoices(table.filters, { month: monthsAround(today) })}
        savedViews
        list={list}
        query={(asked) => api.reconciliation.remittances.list.queryOptions({ input: asked })}
        exportFrom={{ path: "/api/remittances" }}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => `${row.fileName}, ${row.invoiceNumber}`}
        rowLink={view}
        empty={{
          title: "No remittance lists yet",
          words: "Add an employer's list of paid members to compare it with the invoice, member by member.",
        }}
        noMatch="No remittance lists match."
        failed="Failed to load remittance lists"
      />
      {compare !== undefined && mayLay && (
        <Suspense fallback={null}>
          <RemittanceDialog
            invoiceId={compare === newComparison ? undefined : compare}
            onClose={() => show(undefined)}
          />
        </Suspense>
      )}
    </ListPage>
  )
}
