import { Button, Stack } from "@mantine/core"
import type { PolicyDocuments as Documents, PolicyDocument } from "@milkwood/domain/policies/policy-documents.contract"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { refreshModule } from "../platform/live.ts"
import { AddDocuments } from "../ui/add-documents.tsx"
import { RowMenu } from "../ui/data-table/row-menu.tsx"
import { DocumentSummary } from "../ui/document-words.tsx"
import { EmptyState } from "../ui/empty-state.tsx"
import { SettingsLine, SettingsList } from "../ui/line-list.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { RecordLoading } from "../ui/record-page.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import type { Uploads } from "../ui/use-uploads.ts"
import { policyDocumentsQuery } from "./policies.api.ts"
import { useDocumentActions } from "./policy-document-actions.tsx"

interface PolicyDocumentsProps {
  policyId: string
  /** Unfinished uploads, which the page keeps while the user changes steps and tabs. */
  uploads: Uploads
}

export function PolicyDocuments({ policyId, uploads }: PolicyDocumentsProps) {
  const documents = useQuery(policyDocumentsQuery(policyId))
  const [typeId, setTypeId] = useState<string | null>(null)
  if (documents.isPending) return <RecordLoading words="Loading documents..." />
  if (!documents.data) {
    return <LoadFailed title="Failed to load documents" error={documents.error} onRetry={documents.refetch} />
  }
  const { mayUpload, missing, documents: there } = documents.data
  return (
    <Stack gap="md">
      {mayUpload && <AddDocument documents={documents.data} typeId={typeId} onType={setTypeId} uploads={uploads} />}
      {there.length + missing.length === 0 ? (
        <EmptyState title="No documents">
          Upload the application form, the contract and other policy documents to see them here.
        </EmptyState>
      ) : (
        <SettingsList label="Documents">
          {missing.map(({ id, name }) => (
            <SettingsLine key={id} what={name} words="Not uploaded">
              <StatusBadge status="required" />
              {mayUpload && (
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={`Choose ${name} as the type to upload`}
                  disabled={typeId === id}
                  onClick={() => setTypeId(id)}
                >
                  Choose
                </Button>
              )}
            </SettingsLine>
          ))}
          {there.map((document) => (
            <DocumentLine key={document.id} policyId={policyId} document={document} />
          ))}
        </SettingsList>
      )}
    </Stack>
  )
}

interface AddDocumentProps {
  documents: Documents
  typeId: string | null
  onType: (typeId: string | null) => void
  uploads?: Uploads
}

export function AddDocument({ documents, typeId, onType, uploads }: AddDocumentProps) {
  const { policyId, types, missing } = documents
  const queryClient = useQueryClient()
  const open = missing.map(({ id }) => id)
  return (
    <AddDocuments
      url={`/api/policies/${policyId}/documents`}
      types={types.map(({ id, name }) => ({ value: id, label: open.includes(id) ? `${name} (required)` : name }))}
      type={typeId}
      onType={onType}
      {...(uploads && { uploads })}
      onUploaded={() => void refreshModule(queryClient, "policies")}
    />
  )
}

function DocumentLine({ policyId, document }: { policyId: string; document: PolicyDocument }) {
  const { actions, dialogs } = useDocumentActions()
  const { name, documentTypeName, required } = document
  return (
    <SettingsLine what={name} words={<DocumentSummary document={document} type={documentTypeName} />}>
      <StatusBadge status="uploaded" label={required ? "Uploaded, required" : "Uploaded"} />
      <RowMenu label={`Actions for ${name}`} actions={() => actions({ ...document, policyId })} />
      {dialogs}
    </SettingsLine>
  )
}
