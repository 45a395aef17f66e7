import { Modal, Stack } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useEscape } from "../platform/keyboard.ts"
import { policyDocumentsQuery } from "./policies.api.ts"
import { AddDocument } from "./policy-documents.tsx"
import { PolicySelect } from "./policy-select.tsx"

export default function UploadDocumentDialog({ onClose }: { onClose: () => void }) {
  const [policyId, setPolicyId] = useState<string | null>(null)
  const [typeId, setTypeId] = useState<string | null>(null)
  const documents = useQuery({ ...policyDocumentsQuery(policyId ?? ""), enabled: policyId !== null })
  useEscape(onClose, true)
  return (
    <Modal opened onClose={onClose} size={620} title="Upload document">
      <Stack gap="sm">
        <PolicySelect
          label="Policy"
          required
          clearable
          data-autofocus
          value={policyId}
          onChange={(id) => setPolicyId(id)}
        />
        {policyId && documents.data && (
          <AddDocument key={policyId} documents={documents.data} typeId={typeId} onType={setTypeId} />
        )}
      </Stack>
    </Modal>
  )
}
