import { Select, SimpleGrid, Stack, TextInput } from "@mantine/core"
import { documentEndings } from "@milkwood/domain/platform/documents"
import { useState } from "react"
import { useAllowedFiles } from "./display.tsx"
import { DocumentUploader } from "./document-uploader.tsx"
import { useToast } from "./toast.tsx"
import type { Uploads } from "./use-uploads.ts"

interface AddDocumentsProps<Answer> {
  url: string
  types: { value: string; label: string }[]
  type: string | null
  onType: (type: string | null) => void
  uploads?: Uploads
  onUploaded: (answer: Answer) => void
}

export function AddDocuments<Answer>({ url, types, type, onType, uploads, onUploaded }: AddDocumentsProps<Answer>) {
  const [name, setName] = useState("")
  const allowed = useAllowedFiles()
  const toast = useToast()
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
        <Select
          label="Document type"
          required
          searchable
          placeholder="Choose a type"
          nothingFoundMessage="No type matches"
          data={types}
          value={type}
          onChange={onType}
        />
        <TextInput
          label="Document name"
          placeholder="The file name"
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </SimpleGrid>
      <DocumentUploader<Answer>
        label="Upload documents"
        url={url}
        accept={documentEndings(allowed.types)}
        multiple
        {...(uploads && { uploads })}
        {...(!type && { disabled: "Choose the document type first." })}
        fields={() => ({ documentType: type ?? "", documentName: name.trim() })}
        onUploaded={(answer) => {
          setName("")
          toast.success("Document Uploaded")
          onUploaded(answer)
        }}
      />
    </Stack>
  )
}
