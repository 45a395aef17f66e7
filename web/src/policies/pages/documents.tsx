import { Button } from "@mantine/core"
import { firstOfMonth } from "@milkwood/domain/kernel/calendar"
import type { PolicyDocumentRow } from "@milkwood/domain/policies/policy-documents.contract"
import { policyDocumentsList } from "@milkwood/domain/policies/policy-documents.list"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { api } from "../../platform/api.ts"
import { useSession } from "../../platform/session.ts"
import { columnsOf, DataTable, tableOf, withFilterChoices } from "../../ui/data-table.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { formatFileSize } from "../../ui/file-size.ts"
import { listAddress, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { SummaryCards } from "../../ui/summary-cards.tsx"
import { DocumentTabs } from "../document-tabs.tsx"
import { documentTypesQuery } from "../policies.api.ts"
import { useDocumentActions } from "../policy-document-actions.tsx"

export const Route = createFileRoute("/_app/policies/documents")({
  ...listAddress(policyDocumentsList),
  staticData: { permission: "policies.read" },
  component: PolicyDocumentsPage,
})

const UploadDocumentDialog = lazy(() => import("../upload-document-dialog.tsx"))

const table = tableOf<PolicyDocumentRow>(policyDocumentsList)
const policyLinkOf = ({ policyId }: { policyId: string }) =>
  linkOptions({ to: "/policies/$policyId", params: { policyId }, search: { tab: "documents" } })
const columns = columnsOf<PolicyDocumentRow, typeof policyDocumentsList>(policyDocumentsList, {
  name: { wide: true },
  type: { width: 170 },
  policy: {
    cell: (row) => (
      <Link {...policyLinkOf(row)}>
        <DocumentNumber>{row.policyNumber}</DocumentNumber>
      </Link>
    ),
  },
  group: { width: 170 },
  need: { width: 100 },
  size: { header: "Size", width: 90, cell: ({ size }) => formatFileSize(size) },
  uploadedBy: { width: 140 },
})

function PolicyDocumentsPage() {
  const list = useListPlace(Route.useSearch())
  const { actions, dialogs } = useDocumentActions()
  const [uploads, setUploads] = useState(false)
  const mayUpload = useSession().can("policies.write")
  const types = useQuery(documentTypesQuery())
  const { data: figures, isError } = useQuery(api.policies.documents.summary.queryOptions({ input: {} }))
  const { today } = useDisplay()
  const thisMonth = { uploadedFrom: firstOfMonth(today), uploadedTo: today }
  const isThisMonth = list.search.uploadedFrom === thisMonth.uploadedFrom && list.search.uploadedTo === today
  const upload = mayUpload && <Button onClick={() => setUploads(true)}>Upload document</Button>
  return (
    <ListPage>
      <PageHeader title="Policy Documents" actions={upload} />
      <SummaryCards
        failed={isError}
        cards={[
          { label: "Documents", value: figures?.documents },
          {
            label: "Uploaded this month",
            value: figures?.thisMonth,
            active: isThisMonth,
            link: linkOptions({ to: "/policies/documents", search: isThisMonth ? {} : thisMonth }),
          },
          {
            label: "Required, not uploaded",
            value: figures?.missing,
            link: linkOptions({ to: "/policies/documents/required" }),
          },
          { label: "Policies with missing documents", value: figures?.policies },
        ]}
      />
      <DocumentTabs missing={figures?.missing} />
      <DataTable
        {...table}
        savedViews
        list={list}
        query={(search) => api.policies.documents.list.queryOptions({ input: search })}
        exportFrom={{ path: "/api/policy-documents" }}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        rowActions={(row) => [...actions(row), { label: "View policy", link: policyLinkOf(row) }]}
        filters={withFilterChoices(table.filters, { documentTypeId: types.data })}
        failed="Failed to load policy documents"
        empty={{
          title: "No documents yet",
          words: "Upload application forms, contracts and other policy documents to see them here.",
          action: upload,
        }}
      />
      {dialogs}
      {uploads && (
        <Suspense>
          <UploadDocumentDialog onClose={() => setUploads(false)} />
        </Suspense>
      )}
    </ListPage>
  )
}
