import type { RequiredDocumentRow } from "@milkwood/domain/policies/policy-documents.contract"
import { requiredDocumentsList } from "@milkwood/domain/policies/policy-documents.list"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, linkOptions } from "@tanstack/react-router"
import { api } from "../../platform/api.ts"
import { columnsOf, DataTable, tableOf, withFilterChoices } from "../../ui/data-table.tsx"
import { listAddress, untypedListAddress, useLooseListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { DocumentTabs } from "../document-tabs.tsx"
import { documentTypesQuery } from "../policies.api.ts"

export const Route = createFileRoute("/_app/policies/documents/required")({
  ...untypedListAddress,
  staticData: { permission: "policies.read" },
  component: RequiredDocumentsPage,
})

const address = listAddress(requiredDocumentsList)

const table = tableOf<RequiredDocumentRow>(requiredDocumentsList)
const columns = columnsOf<RequiredDocumentRow, typeof requiredDocumentsList>(requiredDocumentsList, {
  type: { width: 220 },
  group: { wide: true },
  start: { width: 130 },
})

const policyLinkOf = ({ policyId }: RequiredDocumentRow) =>
  linkOptions({ to: "/policies/$policyId", params: { policyId }, search: { tab: "documents" } })

function RequiredDocumentsPage() {
  const list = useLooseListPlace(address, Route.useSearch())
  const types = useQuery(documentTypesQuery())
  const { data: figures } = useQuery(api.policies.documents.summary.queryOptions({ input: {} }))
  return (
    <ListPage>
      <PageHeader title="Policy Documents" />
      <DocumentTabs missing={figures?.missing} />
      <DataTable
        {...table}
        list={list}
        query={(search) => api.policies.documents.required.queryOptions({ input: search })}
        exportFrom={{ path: "/api/required-documents" }}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => `${row.documentTypeName} of ${row.policyNumber}`}
        rowLink={policyLinkOf}
        rowActions={(row) => [{ label: "View documents of the policy", link: policyLinkOf(row) }]}
        filters={withFilterChoices(table.filters, { documentTypeId: types.data })}
        failed="Failed to load required documents"
        empty={{ title: "No missing documents", words: "Every policy has its required documents." }}
      />
    </ListPage>
  )
}
