import { Checkbox, Select, SimpleGrid, Text, Textarea, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import {
  type CustomDefinition,
  type CustomRange,
  type CustomType,
  customColumns,
  customIncomplete,
  customRangeNames,
  customRanges,
  customSources,
  defaultDefinition,
  defaultFormat,
  defaultRange,
  fieldsAllowedFor,
  findField,
  typesAllowedFor,
} from "@milkwood/domain/reports/custom-report"
import type { CustomReportDetail } from "@milkwood/domain/reports/custom-report-shape"
import type { CustomShare } from "@milkwood/domain/reports/custom-reports"
import { type ReportFormat, reportFormatNames, reportFormats } from "@milkwood/domain/reports/report"
import { useState } from "react"
import { newKey } from "../platform/api.ts"
import { useSession } from "../platform/session.ts"
import { DayInput } from "../ui/day-input.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { toast } from "../ui/toast.tsx"
import classes from "./custom.module.css"
import { CustomFilters } from "./custom-filters.tsx"
import { CustomOrder } from "./custom-order.tsx"
import { CustomPreview } from "./custom-preview.tsx"
import { MissingFields } from "./missing-fields.tsx"
import { useCustomReportCommands } from "./reports.api.ts"

export interface StartedRun {
  name: string
  runId: string
  jobId: string
}

interface CustomDialogProps {
  saved?: CustomReportDetail
  onClose: () => void
  onStarted?: (started: StartedRun) => void
}

const withValidOrder = (definition: CustomDefinition): CustomDefinition => {
  const { order } = definition
  const isThere = order && customColumns(definition).some(([name]) => name === order.by)
  return isThere ? definition : { ...definition, order: null }
}

const startDefinition = (type: CustomType): CustomDefinition => ({
  ...defaultDefinition,
  type,
  range: defaultRange(type),
})

export default function CustomDialog({ saved, onClose, onStarted }: CustomDialogProps) {
  const { create, update, generate } = useCustomReportCommands()
  const { role } = useSession().user
  const types = typesAllowedFor(role)
  const [idempotencyKey] = useState(newKey)
  const form = useForm({
    initialValues: {
      name: saved?.name ?? "",
      description: saved?.description ?? "",
      format: saved?.format ?? (defaultFormat as ReportFormat),
      sharedWith: saved?.sharedWith ?? ([] as CustomShare[]),
      definition: saved?.definition ?? startDefinition(types[0]!),
    },
  })
  const { name, definition } = form.values
  const { type, range, fields } = definition
  const set = (change: Partial<CustomDefinition>) => {
    form.setFieldValue("definition", { ...definition, ...change })
    form.clearErrors()
  }
  const check = () => {
    const noName = name.trim() === ""
    const noField = fields.length === 0
    form.setErrors({
      ...(noName && { name: "Enter a name for the report" }),
      ...(noField && { "definition.fields": "Select at least one field" }),
    })
    if (noName || noField) toast.error(customIncomplete, undefined, "Validation Error")
    return !noName && !noField
  }
  const save = async (values: typeof form.values) => {
    if (saved) await update.mutateAsync({ ...values, customReportId: saved.id, version: saved.version })
    else await create.mutateAsync({ ...values, idempotencyKey })
  }
  const make = async ({ name, format, definition }: typeof form.values) => {
    const started = await generate.mutateAsync({ name, format, definition, idempotencyKey: newKey() })
    onStarted?.({ ...started, name })
  }
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={saved ? "Edit custom report" : "Custom Report"}
      submit={saved ? "Save" : "Generate Report"}
      busyWords={saved ? "Saving..." : "Generating..."}
      size={1180}
      form={form}
      check={check}
      save={saved ? save : make}
      {...(!saved && { also: { submit: "Save to My Reports", save } })}
    >
      <div className={classes.sides}>
        <div className={classes.form}>
          {saved && <MissingFields report={saved} />}
          <TextInput label="Report Name" withAsterisk maxLength={120} {...form.getInputProps("name")} />
          <Textarea label="Description" autosize minRows={1} maxRows={4} {...form.getInputProps("description")} />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
            <Select
              label="Report Type"
              allowDeselect={false}
              data={types.map((value) => ({ value, label: customSources[value].name }))}
              value={type}
              onChange={(value) => value && value !== type && set(startDefinition(value as CustomType))}
            />
            <Select
              label="Format"
              allowDeselect={false}
              data={reportFormats.map((value) => ({ value, label: reportFormatNames[value] }))}
              {...form.getInputProps("format")}
            />
          </SimpleGrid>
          <Select
            label="Date Range"
            description={
              range === "all" ? undefined : `By ${findField(type, customSources[type].rangeBy)!.title.toLowerCase()}`
            }
            allowDeselect={false}
            data={customRanges.map((value) => ({ value, label: customRangeNames[value] }))}
            value={range}
            onChange={(value) => value && set({ range: value as CustomRange, from: null, to: null })}
          />
          {range === "custom" && (
            <>
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
                <DayInput
                  label="Start Date"
                  data-path="definition.from"
                  value={definition.from}
                  error={form.errors["definition.from"]}
                  onChange={(from) => set({ from })}
                />
                <DayInput
                  label="End Date"
                  data-path="definition.to"
                  value={definition.to}
                  error={form.errors["definition.to"]}
                  onChange={(to) => set({ to })}
                />
              </SimpleGrid>
              <Text size="xs" c="dimmed">
                Leave a date empty for an open-ended range.
              </Text>
            </>
          )}
          <Checkbox.Group
            label="Select Fields"
            description="Columns appear in the order you select them."
            withAsterisk
            value={fields}
            error={form.errors["definition.fields"]}
            onChange={(chosen) => set(withValidOrder({ ...definition, fields: chosen }))}
          >
            <div className={classes.fields}>
              {fieldsAllowedFor(type, role).map(([field, { title }]) => (
                <Checkbox
                  key={field}
                  value={field}
                  label={title}
                  aria-invalid={form.errors["definition.fields"] !== undefined || undefined}
                />
              ))}
            </div>
          </Checkbox.Group>
          <CustomFilters
            definition={definition}
            role={role}
            errors={form.errors}
            onChange={(filters) => set({ filters })}
          />
          <CustomOrder
            definition={definition}
            onChange={(change) => set(withValidOrder({ ...definition, ...change }))}
          />
        </div>
        <CustomPreview definition={definition} />
      </div>
    </FormDialog>
  )
}
