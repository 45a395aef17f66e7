import { Checkbox, Stack, Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import { type DocumentType, documentTypeNames, documentTypes } from "@milkwood/domain/claims/claim"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { missingDocuments } from "@milkwood/domain/claims/required-documents"
import { useQuery } from "@tanstack/react-query"
import { FormDialog } from "../ui/form-dialog.tsx"
import { claimQuery, useReviewCommands } from "./claims.api.ts"

/** Of alternatives, the first is chosen: one is enough. */
const missingTypes = (claim: ClaimDetail): DocumentType[] =>
  missingDocuments(claim.requiredDocuments).flatMap((documents) => documents.slice(0, 1))

export function RequestDocumentsDialog({ record, onClose }: { record: ClaimDetail; onClose: () => void }) {
  const claimId = record.id
  const claim = useQuery(claimQuery(claimId)).data ?? record
  const { requestDocuments } = useReviewCommands()
  const form = useForm<{ documents: DocumentType[]; note: string }>({
    initialValues: { documents: missingTypes(record), note: "" },
    validate: { documents: (chosen) => (chosen.length === 0 ? "Choose the missing documents" : null) },
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Request documents for ${claim.number}`}
      words={
        claim.submittedBy
          ? `We email ${claim.submittedBy} the list. The claim waits as "Documentation Required" until they are uploaded.`
          : undefined
      }
      submit="Request documents"
      form={form}
      save={(values) => requestDocuments.mutateAsync({ claimId, version: claim.version, ...values })}
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
