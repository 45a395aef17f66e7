import { TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import { type ListField, listFieldLabels, listFields } from "@milkwood/domain/staff-lists/staff-list-columns"
import { refusesRow } from "@milkwood/domain/staff-lists/staff-list-problems"
import type { StaffListDetail, StaffListRow } from "@milkwood/domain/staff-lists/staff-lists.contract"
import { FormDialog } from "../ui/form-dialog.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import { useStaffListCommands } from "./staff-lists.api.ts"

interface CorrectRowDialogProps {
  found: StaffListDetail
  row: StaffListRow & { line: number; cells: string[] }
  onClose: () => void
}

/** Only fields with a column in the file can be corrected. */
export default function CorrectRowDialog({ found, row, onClose }: CorrectRowDialogProps) {
  const { correct } = useStaffListCommands()
  const { id: importId, version, mapping } = found
  const columns = listFields.flatMap((field) => {
    const column = mapping[field]
    return column === undefined ? [] : [{ field, column, text: row.cells[column] ?? "" }]
  })
  const form = useForm({
    initialValues: Object.fromEntries(columns.map(({ field, text }) => [field, text])) as Partial<
      Record<ListField, string>
    >,
  })
  const refusing = row.problems.filter(({ code }) => refusesRow(code))
  const wrongAt = (field: ListField) => refusing.find((problem) => problem.field === field)?.sentence
  const elsewhere = refusing.filter(({ field }) => !columns.some((column) => column.field === field))
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Correct row ${row.line}`}
      words="Your changes apply to this import only, not to the file. The list is then checked again."
      submit="Correct row"
      form={form}
      save={(values) => {
        const cells = columns
          .filter(({ field, text }) => (values[field] ?? "") !== text)
          .map(({ field, column }) => ({ column, text: values[field] ?? "" }))
        if (cells.length === 0) return Promise.resolve()
        return correct.mutateAsync({ importId, version, line: row.line, cells })
      }}
    >
      {elsewhere.map(({ code, sentence }) => (
        <InlineError key={code}>{sentence}</InlineError>
      ))}
      {columns.map(({ field }) => (
        <TextInput
          key={field}
          label={listFieldLabels[field]}
          maxLength={1000}
          description={wrongAt(field)}
          styles={{ description: { color: "var(--tone-red)" } }}
          {...form.getInputProps(field)}
        />
      ))}
    </FormDialog>
  )
}
