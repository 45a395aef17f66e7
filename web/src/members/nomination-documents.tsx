import { ActionIcon, Button, Group } from "@mantine/core"
import { nominationDocumentTypeNames, nominationDocumentTypes } from "@milkwood/domain/members/nomination"
import type { MemberNominations, NominationDetail } from "@milkwood/domain/members/nominations.contract"
import { IconDownload, IconTrash } from "@tabler/icons-react"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { AddDocuments } from "../ui/add-documents.tsx"
import { useConfirm } from "../ui/confirm.tsx"
import { DocumentSummary } from "../ui/document-words.tsx"
import { SettingsLine, SettingsList } from "../ui/line-list.tsx"
import { nominationsQuery, useNominationCommands } from "./members.api.ts"

const typeChoices = nominationDocumentTypes.map((value) => ({ value, label: nominationDocumentTypeNames[value] }))

interface NominationDocumentsProps {
  nomination: NominationDetail
  mayChange: boolean
}

export function NominationDocuments({ nomination, mayChange }: NominationDocumentsProps) {
  const confirm = useConfirm()
  const { removeDocument } = useNominationCommands()
  const { id: nominationId, documents } = nomination
  return (
    <>
      {documents.length > 0 && (
        <SettingsList label="Documents of the nomination">
          {documents.map((document) => (
            <SettingsLine
              key={document.id}
              what={document.name}
              words={<DocumentSummary document={document} type={nominationDocumentTypeNames[document.documentType]} />}
            >
              <ActionIcon
                component="a"
                href={`/api/nominations/${nominationId}/documents/${document.id}`}
                download
                aria-label={`Download ${document.name}`}
              >
                <IconDownload size={16} />
              </ActionIcon>
              {mayChange && (
                <ActionIcon
                  aria-label={`Delete ${document.name}`}
                  onClick={() =>
                    confirm({
                      title: `Delete ${document.name}?`,
                      body: "The file is deleted from the nomination. This cannot be undone.",
                      confirm: "Delete document",
                      danger: true,
                      action: () => removeDocument.mutateAsync({ nominationId, documentId: document.id }),
                    })
                  }
                >
                  <IconTrash size={16} />
                </ActionIcon>
              )}
            </SettingsLine>
          ))}
        </SettingsList>
      )}
      {mayChange && <AddForm nominationId={nominationId} />}
    </>
  )
}

function AddForm({ nominationId }: { nominationId: string }) {
  const [isOpen, setOpen] = useState(false)
  const [type, setType] = useState<string | null>("signed_form")
  const queryClient = useQueryClient()
  if (!isOpen) {
    return (
      <Group>
        <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
          Add signed form
        </Button>
      </Group>
    )
  }
  return (
    <AddDocuments<MemberNominations>
      url={`/api/nominations/${nominationId}/documents`}
      types={typeChoices}
      type={type}
      onType={setType}
      onUploaded={(answer) => {
        queryClient.setQueryData(nominationsQuery(answer.memberId).queryKey, answer)
        setOpen(false)
      }}
    />
  )
}
