import { ActionIcon, Badge, Stack } from "@mantine/core"
import { type DocumentType, documentTypeNames, documentTypes } from "@milkwood/domain/claims/claim"
import type { ClaimDetail, ClaimDocument } from "@milkwood/domain/claims/claim-shape"
import { missingDocuments } from "@milkwood/domain/claims/required-documents"
import { IconDownload, IconTrash } from "@tabler/icons-react"
import { useState } from "react"
import { AddDocuments } from "../ui/add-documents.tsx"
import { useConfirm } from "../ui/confirm.tsx"
import { DocumentSummary } from "../ui/document-words.tsx"
import { EmptyState } from "../ui/empty-state.tsx"
import { SettingsLine, SettingsList } from "../ui/line-list.tsx"
import type { Uploads } from "../ui/use-uploads.ts"
import { documentHref, useCacheClaim, useRemoveDocument } from "./claims.api.ts"
import classes from "./claims.module.css"
import { DocumentOpenings } from "./document-openings.tsx"

interface ClaimDocumentsProps {
  claim: ClaimDetail
  /** Unfinished uploads, which the page keeps while the user changes steps and tabs. */
  uploads: Uploads
}

export function ClaimDocuments({ claim, uploads }: ClaimDocumentsProps) {
  const mayChange = claim.allowedActions.includes("changeDocuments")
  return (
    <Stack gap="md">
      {claim.requestedDocuments.length > 0 && (
        <div>
          Requested documents:{" "}
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
        <SettingsList label="Documents">
          {claim.documents.map((document) => (
            <DocumentLine key={document.id} claim={claim} document={document} mayRemove={mayChange} />
          ))}
        </SettingsList>
      )}
      {claim.documents.length > 0 && !claim.medical && <p className={classes.quiet}>{medicalHiddenText}</p>}
    </Stack>
  )
}

const medicalHiddenText = "This account cannot see medical documents."

/** Also shown to a reader who may not see any documents. */
export function NoDocuments({ claim }: { claim: ClaimDetail }) {
  if (!claim.medical) return <EmptyState title="No documents to show">{medicalHiddenText}</EmptyState>
  return <EmptyState title="No documents">Upload reports, bills and certificates to see them here.</EmptyState>
}

const typeChoices = documentTypes.map((value) => ({ value, label: documentTypeNames[value] }))

function AddDocument({ claim, uploads }: ClaimDocumentsProps) {
  const [chosen, setChosen] = useState<string | null>(null)
  const type = chosen ?? neededDocument(claim)
  const keep = useCacheClaim()
  return (
    <AddDocuments<ClaimDetail>
      url={`/api/claims/${claim.id}/documents`}
      types={typeChoices}
      type={type}
      onType={setChosen}
      uploads={uploads}
      onUploaded={(answer) => {
        // The next page of the same document follows more often than another document.
        setChosen((now) => now ?? type)
        void keep(answer)
      }}
    />
  )
}

/** The document that is asked for or missing first. */
const neededDocument = ({ requestedDocuments, requiredDocuments }: ClaimDetail): DocumentType | null =>
  requestedDocuments[0] ?? missingDocuments(requiredDocuments)[0]?.[0] ?? null

function DocumentLine(props: { claim: ClaimDetail; document: ClaimDocument; mayRemove: boolean }) {
  const { claim, document, mayRemove } = props
  const confirm = useConfirm()
  const remove = useRemoveDocument()
  const href = documentHref(claim.id, document.id)
  return (
    <SettingsLine
      what={document.name}
      words={
        <>
          <DocumentSummary document={document} type={documentTypeNames[document.documentType]} />
          <DocumentOpenings claimId={claim.id} documentId={document.id} />
        </>
      }
    >
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
    </SettingsLine>
  )
}
