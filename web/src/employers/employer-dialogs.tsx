import { Textarea, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import { employerFields } from "@milkwood/domain/employers/employer-fields"
import type { EmployerDetail } from "@milkwood/domain/employers/employers.contract"
import { emptyDraft } from "@milkwood/domain/kernel/declared-field"
import { useNavigate } from "@tanstack/react-router"
import { FieldInputs } from "../ui/declared-fields.tsx"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useEmployerCommands } from "./employers.api.ts"

export function NewEmployerDialog({ onClose }: { onClose: () => void }) {
  const { create } = useEmployerCommands()
  const navigate = useNavigate()
  const form = useForm({
    initialValues: { name: "", ...emptyDraft(employerFields) },
    validate: { name: requireText("Enter the group name") },
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title="New employer"
      submit="Create employer"
      form={form}
      save={async (values) => {
        const { id } = await create.mutateAsync(values)
        await navigate({ to: "/groups/$groupId", params: { groupId: id } })
      }}
    >
      <TextInput label="Group name" required maxLength={200} {...form.getInputProps("name")} />
      <FieldInputs fields={employerFields} section="details" form={form} />
    </FormDialog>
  )
}

export function CloseEmployerDialog({ employer, onClose }: { employer: EmployerDetail; onClose: () => void }) {
  const { close } = useEmployerCommands()
  const form = useForm({ initialValues: { reason: "" }, validate: { reason: requireText("Enter a reason") } })
  const { id: groupId, name, version } = employer
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Close ${name}?`}
      words="The employer gets no new policies. Its invoices, claims and records stay. You can reopen it."
      submit="Close employer"
      danger
      form={form}
      save={({ reason }) => close.mutateAsync({ groupId, version, reason })}
    >
      <Textarea label="Reason" required autosize minRows={2} maxLength={500} {...form.getInputProps("reason")} />
    </FormDialog>
  )
}
