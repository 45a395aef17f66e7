import { Checkbox, Select, Stack } from "@mantine/core"
import { useForm } from "@mantine/form"
import { claimTypeNames, claimTypes, documentTypeNames, documentTypes } from "@milkwood/domain/claims/claim"
import type { DocumentRule } from "@milkwood/domain/claims/required-documents"
import { FormDialog } from "../ui/form-dialog.tsx"
import { MoneyInput } from "../ui/money-input.tsx"

interface RequiredDocumentDialogProps {
  rule?: DocumentRule
  benefits: readonly { id: string; name: string }[]
  onSave: (rule: DocumentRule) => Promise<unknown>
  onClose: () => void
}

const newRule: DocumentRule = {
  claimType: "death",
  benefitId: null,
  anyOf: [],
  dependentsOnly: false,
  aboveCents: null,
}

export default function RequiredDocumentDialog({ rule, benefits, onSave, onClose }: RequiredDocumentDialogProps) {
  const form = useForm<DocumentRule>({
    initialValues: rule ?? newRule,
    validate: {
      anyOf: (types) => (types.length === 0 ? "Choose at least one document" : null),
      aboveCents: (cents) => (cents !== null && cents <= 0 ? "Enter an amount above zero" : null),
    },
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={rule ? "Edit required document" : "Add required document"}
      submit="Save"
      form={form}
      save={onSave}
    >
      <Select
        label="Claim type"
        allowDeselect={false}
        data={claimTypes.map((value) => ({ value, label: claimTypeNames[value] }))}
        {...form.getInputProps("claimType")}
      />
      <Select
        label="Benefit"
        description="Leave empty for every benefit"
        clearable
        searchable
        data={benefits.map(({ id, name }) => ({ value: id, label: name }))}
        {...form.getInputProps("benefitId")}
      />
      <Checkbox.Group
        label="Documents"
        description="If you choose several, any one of them is enough"
        withAsterisk
        styles={{ error: { marginTop: 6 }, description: { marginTop: 6 } }}
        {...form.getInputProps("anyOf")}
      >
        <Stack gap={6} mt={6}>
          {documentTypes.map((type) => (
            <Checkbox key={type} value={type} label={documentTypeNames[type]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Checkbox
        label="Only if a dependent is insured"
        {...form.getInputProps("dependentsOnly", { type: "checkbox" })}
      />
      <MoneyInput
        label="Only above this amount"
        description="Requested amount of the claim. Leave empty for every amount"
        {...form.getInputProps("aboveCents")}
      />
    </FormDialog>
  )
}
