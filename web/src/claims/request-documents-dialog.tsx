import { Checkbox, Stack, Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import { type DocumentType, documentTypeNames, documentTypes } from "@milkwood/domain/claims/claim"
import { useQuery } from "@tanstack/react-query"
import { FormDialog } from "../ui/form-dialog.tsx"
import { claimQuery, useReviewCommands } from "./claims.api.ts"

export function RequestDocumentsDialog({ claimId, onClose }: { claimId: string; onClose: () => void }) {
  const claim = useQuery(claimQuery(claimId)).data
  const { requestDocuments } = useReviewCommands()
  const form = useForm<{ documents: DocumentType[]; note: string }>({
    initialValues: { documents: [], note: "" },
    validate: { documents: (chosen) => (chosen.length === 0 ? "Choose the missing documents" : null) },
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={claim ? `Request documents for ${claim.number}` : "Request documents"}
      words={
        claim?.submittedBy
          ? `We email ${claim.submittedBy} the list. The claim waits as "Documentation Required" until they are uploaded.`
          : undefined
      }
      submit="Request documents"
      form={form}
      save={async (values) => {
        if (!claim) throw new Error("the claim is still loading")
        return requestDocuments.mutateAsync({ claimId, version: claim.version, ...values })
      }}
    >
      <Checkbox.Group
        label="Missing documents"
        withAsterisk
        styles={{ error: { marginTop: 6 } }}
        {...form.getInputProps("documents")}
      >
        <Stack gap={6} mt={6}>
          {documentTypes.map((type) => (
            <Checkbox key={type} value={type} label={documentTypeNames[type]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Textarea
        label="Note"
        description="Included in the e-mail"
        autosize
        minRows={2}
        {...form.getInputProps("note")}
      />
    </FormDialog>
  )
}
