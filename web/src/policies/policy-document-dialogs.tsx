import { Modal, Stack } from "@mantine/core"
import { documentEndings } from "@milkwood/domain/platform/documents"
import { useQueryClient } from "@tanstack/react-query"
import { useEscape } from "../platform/keyboard.ts"
import { refreshModule } from "../platform/live.ts"
import { keepNumbersUnbroken } from "../ui/breakable.tsx"
import { useAllowedFiles } from "../ui/display.tsx"
import { DocumentUploader } from "../ui/document-uploader.tsx"
import { DocumentViewer } from "../ui/document-viewer.tsx"
import ReasonDialog from "../ui/reason-dialog.tsx"
import { useToast } from "../ui/toast.tsx"
import { policyDocumentHref, useDeleteDocument } from "./policies.api.ts"
import type { DocumentAct, DocumentHead } from "./policy-document-actions.tsx"

interface DialogProps {
  document: DocumentHead
  onClose: () => void
}

export default function DocumentDialogs({ act, ...props }: DialogProps & { act: DocumentAct }) {
  if (act === "view") return <ViewDialog {...props} />
  return act === "replace" ? <ReplaceDialog {...props} /> : <DeleteDialog {...props} />
}

function ViewDialog({ document, onClose }: DialogProps) {
  useEscape(onClose, true)
  const { id, policyId, name, mime } = document
  return (
    <Modal opened onClose={onClose} size={960} title={keepNumbersUnbroken(name)}>
      <DocumentViewer documents={[{ id, name, mime, href: policyDocumentHref(policyId, id) }]} />
    </Modal>
  )
}

function ReplaceDialog({ document, onClose }: DialogProps) {
  useEscape(onClose, true)
  const { id, policyId, name } = document
  const { types } = useAllowedFiles()
  const queryClient = useQueryClient()
  const toast = useToast()
  return (
    <Modal opened onClose={onClose} size={560} title={keepNumbersUnbroken(`Replace ${name}`)}>
      <Stack gap="sm">
        <p>The current file is deleted. The replacement is recorded.</p>
        <DocumentUploader
          label="Choose the new file"
          url={policyDocumentHref(policyId, id)}
          accept={documentEndings(types)}
          onUploaded={() => {
            toast.success("Document Uploaded")
            void refreshModule(queryClient, "policies")
            onClose()
          }}
        />
      </Stack>
    </Modal>
  )
}

function DeleteDialog({ document, onClose }: DialogProps) {
  const remove = useDeleteDocument()
  const { id, policyId, name } = document
  return (
    <ReasonDialog
      onClose={onClose}
      title={`Delete ${name}?`}
      words="The file is deleted from the policy. This cannot be undone. The reason is recorded."
      submit="Delete document"
      missing="Enter a reason"
      danger
      maxLength={1_000}
      save={({ reason }) => remove.mutateAsync({ policyId, documentId: id, reason })}
    />
  )
}
