import { Textarea, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { NamedRow } from "@milkwood/domain/benefits/benefits.contract"
import { MergeNotice } from "../settings/merge-notice.tsx"
import { useMerge } from "../settings/use-merge.ts"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"

interface Fields {
  name: string
  description: string
}

interface NamedDialogProps {
  what: string
  row?: NamedRow
  onClose: () => void
  create: (fields: Fields) => Promise<unknown>
  update: (fields: Fields & { id: string; version: number }) => Promise<unknown>
  reload: (row: { id: string }) => Promise<NamedRow>
}

const fieldsOf = ({ name, description }: Fields): Fields => ({ name, description })

export function NamedDialog({ what, row, onClose, create, update, reload }: NamedDialogProps) {
  const form = useForm<Fields>({
    initialValues: row ? fieldsOf(row) : { name: "", description: "" },
    validate: { name: requireText("Name is required") },
  })
  const { version, merge, keep } = useMerge(form, row, fieldsOf, () => reload(row!))
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`${row ? "Edit" : "Add"} ${what}`}
      submit="Save"
      form={form}
      save={(fields) => (row ? update({ ...fields, id: row.id, version }).catch(keep) : create(fields))}
    >
      <MergeNotice merge={merge} form={form} labels={{ name: "Name", description: "Description" }} />
      <TextInput label="Name" required maxLength={100} {...form.getInputProps("name")} />
      <Textarea label="Description" autosize minRows={2} maxLength={1000} {...form.getInputProps("description")} />
    </FormDialog>
  )
}
