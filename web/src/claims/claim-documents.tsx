import { ActionIcon, Badge, Select, Stack, TextInput } from "@mantine/core"
import { type DocumentType, documentTypeNames, documentTypes } from "@milkwood/domain/claims/claim"
import type { ClaimDetail, ClaimDocument } from "@milkwood/domain/claims/claim-shape"
import { documentEndings } from "@milkwood/domain/platform/documents"
import { IconDownload, IconTrash } from "@tabler/icons-react"
import { useState } from "react"
import { useConfirm } from "../ui/confirm.tsx"
import { InstantText } from "../ui/day.tsx"
import { useAllowedFiles } from "../ui/display.tsx"
import { DocumentUploader } from "../ui/document-uploader.tsx"
import { EmptyState } from "../ui/empty-state.tsx"
import { fileSize } from "../ui/file-size.ts"
import { useToast } from "../ui/toast.tsx"
import type { Uploads } from "../ui/use-uploads.ts"
import { documentHref, useKeepClaim, useRemoveDocument } from "./claims.api.ts"
import classes from "./claims.module.css"

interface ClaimDocumentsProps {
  claim: ClaimDetail
  /** What has not arrived; the page keeps it, from step to step and from tab to tab. */
  uploads: Uploads
}

/** The documents of a claim, and adding to them where the reader may. */
export function ClaimDocuments({ claim, uploads }: ClaimDocumentsProps) {
  const mayChange = claim.allowedActions.includes("changeDocuments")
  return (
    <Stack gap="md">
      {claim.requestedDocuments.length > 0 && (
        <div>
          Documents asked for:{" "}
          {claim.requestedDocuments.map((type) => (
            <Badge key={type} color="yellow" variant="light" mr={4} tt="none">
              {documentTypeNames[type]}
            </Badge>
          ))}
        </div>
      )}
      {mayChange && <AddDocument claim={claim} uploads={uploads} />}
      {claim.documents.length === 0 ? (
        <NoDocuments claim={claim} />
      ) : (
        <ul className={classes.documents}>
          {claim.documents.map((document) => (
            <DocumentLine key={document.id} claim={claim} document={document} mayRemove={mayChange} />
          ))}
        </ul>
      )}
      {claim.documents.length > 0 && !claim.medical && <p className={classes.quiet}>{keptBack}</p>}
    </Stack>
  )
}

const keptBack = "Medical documents are kept from this account."

/** No documents, or none that the reader may see. */
export function NoDocuments({ claim }: { claim: ClaimDetail }) {
  if (!claim.medical) return <EmptyState title="No documents to show">{keptBack}</EmptyState>
  return (
    <EmptyState title="No documents">Reports, bills and certificates stand here once they are uploaded.</EmptyState>
  )
}

function AddDocument({ claim, uploads }: ClaimDocumentsProps) {
  const [documentType, setDocumentType] = useState<DocumentType | null>(claim.requestedDocuments[0] ?? null)
  const [documentName, setDocumentName] = useState("")
  const { types } = useAllowedFiles()
  const keep = useKeepClaim()
  const toast = useToast()
  return (
    <Stack gap="sm">
      <div className={classes.fields}>
        <Select
          label="Document type"
          required
          placeholder="Choose a type"
          data={documentTypes.map((value) => ({ value, label: documentTypeNames[value] }))}
          value={documentType}
          onChange={(value) => setDocumentType(value as DocumentType | null)}
        />
        <TextInput
          label="Document name"
          placeholder="The file's own name"
          maxLength={200}
          value={documentName}
          onChange={(event) => setDocumentName(event.currentTarget.value)}
        />
      </div>
      <DocumentUploader<ClaimDetail>
        label="Upload documents"
        url={`/api/claims/${claim.id}/documents`}
        accept={documentEndings(types)}
        multiple
        uploads={uploads}
        disabled={documentType ? undefined : "Choose the document type first."}
        fields={() => ({ documentType: documentType ?? "", documentName: documentName.trim() })}
        onUploaded={(answer) => {
          keep(answer)
          setDocumentName("")
          toast.success("Document Uploaded")
        }}
      />
    </Stack>
  )
}

function DocumentLine(props: { claim: ClaimDetail; document: ClaimDocument; mayRemove: boolean }) {
  const { claim, document, mayRemove } = props
  const confirm = useConfirm()
  const remove = useRemoveDocument()
  const href = documentHref(claim.id, document.id)
  const type = documentTypeNames[document.documentType]
  return (
    <li className={classes.document}>
      <div className={classes.documentWords}>
        <div>{document.name}</div>
        <div className={classes.quiet}>
          {document.name !== type && `${type}, `}
          {fileSize(document.size)}, {document.uploadedBy}, <InstantText at={document.uploadedAt} />
        </div>
      </div>
      <ActionIcon component="a" href={href} download aria-label={`Download ${document.name}`}>
        <IconDownload size={16} />
      </ActionIcon>
      {mayRemove && (
        <ActionIcon
          aria-label={`Remove ${document.name}`}
          onClick={() =>
            confirm({
              title: `Remove ${document.name}?`,
              body: "The file is deleted from the claim. This cannot be undone.",
              confirm: "Remove document",
              danger: true,
              action: () => remove.mutateAsync({ claimId: claim.id, documentId: document.id }),
            })
          }
        >
          <IconTrash size={16} />
        </ActionIcon>
      )}
    </li>
  )
}
