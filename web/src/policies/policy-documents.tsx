import { Button, Select, Stack, TextInput } from "@mantine/core"
import { documentEndings } from "@milkwood/domain/platform/documents"
import type { PolicyDocuments as Documents, PolicyDocument } from "@milkwood/domain/policies/policy-documents.contract"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { refreshAfter } from "../platform/live.ts"
import { RowMenu } from "../ui/data-table/row-menu.tsx"
import { InstantText } from "../ui/day.tsx"
import { useAllowedFiles } from "../ui/display.tsx"
import { DocumentUploader } from "../ui/document-uploader.tsx"
import { EmptyState } from "../ui/empty-state.tsx"
import { fileSize } from "../ui/file-size.ts"
import { LoadFailed } from "../ui/load-failed.tsx"
import { RecordLoading } from "../ui/record-page.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import { useToast } from "../ui/toast.tsx"
import type { Uploads } from "../ui/use-uploads.ts"
import { policyDocumentsQuery } from "./policies.api.ts"
import { useDocumentActions } from "./policy-document-actions.tsx"
import classes from "./policy-documents.module.css"

interface PolicyDocumentsProps {
  policyId: string
  /** What has not arrived; the page keeps it, from step to step and from tab to tab. */
  uploads: Uploads
}

/** The documents of a policy and what it still needs, the same in the wizard and on the policy's page. */
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
          The application form, the contract and other papers of the policy stand here once they are uploaded.
        </EmptyState>
      ) : (
        <ul className={classes.list} aria-label="Documents">
          {missing.map(({ id, name }) => (
            <li key={id} className={classes.line}>
              <div className={classes.words}>
                <div>{name}</div>
                <div className={classes.quiet}>Not uploaded yet</div>
              </div>
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
            </li>
          ))}
          {there.map((document) => (
            <DocumentLine key={document.id} policyId={policyId} document={document} />
          ))}
        </ul>
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

/** The type, the name and the files of documents that are added to a policy. */
export function AddDocument({ documents, typeId, onType, uploads }: AddDocumentProps) {
  const { policyId, types, missing } = documents
  const [name, setName] = useState("")
  const allowed = useAllowedFiles()
  const queryClient = useQueryClient()
  const toast = useToast()
  const open = missing.map(({ id }) => id)
  return (
    <Stack gap="sm">
      <div className={classes.fields}>
        <Select
          label="Document type"
          required
          searchable
          placeholder="Choose a type"
          nothingFoundMessage="No type matches"
          data={types.map(({ id, name }) => ({ value: id, label: open.includes(id) ? `${name} (required)` : name }))}
          value={typeId}
          onChange={onType}
        />
        <TextInput
          label="Document name"
          placeholder="The file's own name"
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <DocumentUploader
        label="Upload documents"
        url={`/api/policies/${policyId}/documents`}
        accept={documentEndings(allowed.types)}
        multiple
        {...(uploads && { uploads })}
        {...(!typeId && { disabled: "Choose the document type first." })}
        fields={() => ({ documentType: typeId ?? "", documentName: name.trim() })}
        onUploaded={() => {
          setName("")
          toast.success("Document Uploaded")
          void refreshAfter(queryClient, "policies")
        }}
      />
    </Stack>
  )
}

function DocumentLine({ policyId, document }: { policyId: string; document: PolicyDocument }) {
  const { actions, dialogs } = useDocumentActions()
  const { name, documentTypeName, size, uploadedBy, uploadedAt, required } = document
  return (
    <li className={classes.line}>
      <div className={classes.words}>
        <div>{name}</div>
        <div className={classes.quiet}>
          {name !== documentTypeName && `${documentTypeName}, `}
          {fileSize(size)}, {uploadedBy}, <InstantText at={uploadedAt} />
        </div>
      </div>
      <StatusBadge status="uploaded" label={required ? "Uploaded, required" : "Uploaded"} />
      <RowMenu label={`Actions for ${name}`} actions={() => actions({ ...document, policyId })} />
      {dialogs}
    </li>
  )
}
