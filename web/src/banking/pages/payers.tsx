import { bankPayersList } from "@milkwood/domain/banking/bank-payers.list"
import type { BankPayerRow } from "@milkwood/domain/banking/matching.contract"
import { createFileRoute, linkOptions } from "@tanstack/react-router"
import { api } from "../../platform/api.ts"
import { useSession } from "../../platform/session.ts"
import { columnsOf, DataTable, tableOf } from "../../ui/data-table.tsx"
import { listAddress, untypedListAddress, useLooseListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { useForgetPayer } from "../banking.api.ts"

export const Route = createFileRoute("/_app/invoices/reconciliation/payers")({
  ...untypedListAddress,
  staticData: { permission: "banking.read" },
  component: PayersPage,
})

const address = listAddress(bankPayersList)

const columns = columnsOf<BankPayerRow, typeof bankPayersList>(bankPayersList, {
  payer: { wide: true },
  group: { width: 180 },
  policy: { width: 150 },
  reason: { width: 200 },
  confirmed: { width: 100 },
  declined: { width: 100 },
})

function PayersPage() {
  const list = useLooseListPlace(address, Route.useSearch())
  const { can } = useSession()
  const forget = useForgetPayer()
  return (
    <ListPage>
      <PageHeader
        title="Known payers"
        subtitle="Payers recognised on bank lines, and texts that are not a premium or claim payment"
        back={{ to: "/invoices/reconciliation/lines", label: "Back to Bank lines" }}
      />
      <DataTable
        {...tableOf<BankPayerRow>(bankPayersList)}
        list={list}
        query={(search) => api.banking.learntPayers.queryOptions({ input: search })}
        exportFrom={{ path: "/api/bank-payers" }}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => row.payer}
        rowActions={({ id, policyId }) => [
          ...(policyId
            ? [{ label: "View policy", link: linkOptions({ to: "/policies/$policyId", params: { policyId } }) }]
            : []),
          ...(can("banking.write")
            ? [{ label: "Remove", danger: true, onClick: () => forget.mutate({ payerId: id }) }]
            : []),
        ]}
        empty={{
          title: "No payers yet",
          words: "When you match a line, its payer is saved here.",
        }}
        noMatch="No payers match."
        failed="Failed to load payers"
      />
    </ListPage>
  )
}
