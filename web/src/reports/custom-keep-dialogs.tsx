import { Checkbox, Stack, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { CustomReportDetail } from "@milkwood/domain/reports/custom-report-shape"
import { customShareNames, customShares } from "@milkwood/domain/reports/custom-reports"
import { useState } from "react"
import { newKey } from "../platform/api.ts"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useCustomReportCommands } from "./reports.api.ts"

interface ReportDialogProps {
  report: CustomReportDetail
  onClose: () => void
}

const formOf = ({ name, description, format, definition, sharedWith }: CustomReportDetail) => ({
  ...{ name, description, format, definition, sharedWith },
})

export function RenameDialog({ report, onClose }: ReportDialogProps) {
  const { update } = useCustomReportCommands()
  const form = useForm({
    initialValues: { name: report.name },
    validate: { name: requireText("Enter a name for the report") },
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title="Rename report"
      submit="Rename report"
      form={form}
      save={({ name }) =>
        update.mutateAsync({ ...formOf(report), name, customReportId: report.id, version: report.version })
      }
    >
      <TextInput label="Report Name" withAsterisk maxLength={120} {...form.getInputProps("name")} />
    </FormDialog>
  )
}

export function DuplicateDialog({ report, onClose }: ReportDialogProps) {
  const { create } = useCustomReportCommands()
  const [idempotencyKey] = useState(newKey)
  const form = useForm({
    initialValues: { name: `Copy of ${report.name}`.slice(0, 120) },
    validate: { name: requireText("Enter a name for the report") },
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title="Duplicate report"
      submit="Duplicate report"
      words="The copy belongs to you and is not shared."
      form={form}
      save={({ name }) => create.mutateAsync({ ...formOf(report), sharedWith: [], name, idempotencyKey })}
    >
      <TextInput label="Report Name" withAsterisk maxLength={120} {...form.getInputProps("name")} />
    </FormDialog>
  )
}

export function ShareDialog({ report, onClose }: ReportDialogProps) {
  const { update } = useCustomReportCommands()
  const form = useForm({ initialValues: { sharedWith: report.sharedWith } })
  const { sharedWith } = form.values
  const isAll = sharedWith.length === customShares.length
  return (
    <FormDialog
      opened
      onClose={onClose}
      title="Share report"
      submit="Share report"
      words="They can open, generate and schedule it, with their own access rights. Only you can change it."
      form={form}
      save={(values) =>
        update.mutateAsync({ ...formOf(report), ...values, customReportId: report.id, version: report.version })
      }
    >
      <Checkbox
        label="Everyone with access to reports"
        checked={isAll}
        indeterminate={sharedWith.length > 0 && !isAll}
        onChange={() => form.setFieldValue("sharedWith", isAll ? [] : [...customShares])}
      />
      <Checkbox.Group aria-label="Share with" {...form.getInputProps("sharedWith")}>
        <Stack gap="xs" pl="lg">
          {customShares.map((role) => (
            <Checkbox key={role} value={role} label={customShareNames[role]} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  )
}
