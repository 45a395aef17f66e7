import { ActionIcon, Checkbox, Group, Select, SimpleGrid, Textarea, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import { isEmail } from "@milkwood/domain/kernel/email"
import { type AnyReportId, catalogue, type ReportId, reportOf } from "@milkwood/domain/reports/catalogue"
import { customId } from "@milkwood/domain/reports/custom-report"
import {
  permissionOf,
  type ReportCategory,
  type ReportFormat,
  reportCategories,
  reportCategoryNames,
  reportFormatNames,
  reportFormats,
} from "@milkwood/domain/reports/report"
import {
  defaultTimes,
  hasDayOfMonth,
  normalizeTimes,
  type ScheduleType,
  scheduleTypeNames,
  scheduleTypes,
  weekdayNames,
} from "@milkwood/domain/reports/report-schedule"
import type { ReportSchedule } from "@milkwood/domain/reports/report-schedule-shape"
import { IconPlus } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { newKey } from "../platform/api.ts"
import { useSession } from "../platform/session.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { toast } from "../ui/toast.tsx"
import { customReportsQuery, type ReportParameters, useScheduleCommands } from "./reports.api.ts"
import classes from "./schedule.module.css"
import { ScheduleRecipients } from "./schedule-recipients.tsx"

interface ScheduleDialogProps {
  schedule?: ReportSchedule
  report?: ReportId
  custom?: { id: string; name: string; format: ReportFormat }
  parameters?: ReportParameters
  name?: string
  onClose: () => void
}

const incompleteMessage = "Please provide a schedule name and at least one recipient email."
const invalidAddressMessage = "This is not an e-mail address"
const formatHour = (hour: number) => `${String(hour).padStart(2, "0")}:00`

export default function ScheduleDialog(props: ScheduleDialogProps) {
  const { schedule, report, custom, parameters = {}, name = custom?.name ?? "", onClose } = props
  const { create, update } = useScheduleCommands()
  const { can } = useSession()
  const [idempotencyKey] = useState(newKey)
  const readable = catalogue.filter((one) => can(permissionOf(one)))
  const categories = reportCategories.filter((category) => readable.some((one) => one.category === category))
  const mine = useQuery(customReportsQuery()).data?.filter(
    ({ allowedActions, definition }) => allowedActions.includes("open") && definition.fields.length > 0,
  )
  // The schedule's own report stays selectable even when unlisted.
  const own = schedule?.customReportId ? { id: schedule.customReportId, name: schedule.customName ?? "" } : custom
  const customs = own && !mine?.some(({ id }) => id === own.id) ? [own, ...(mine ?? [])] : (mine ?? [])
  const first = (category: ReportCategory) => readable.find((one) => one.category === category)!.id
  const started = schedule?.report ?? (custom ? customId : (report ?? first(categories[0]!)))
  const times = schedule ?? defaultTimes
  const form = useForm({
    initialValues: {
      name: schedule?.name ?? name,
      description: schedule?.description ?? "",
      report: started as AnyReportId,
      customReportId: own?.id ?? null,
      format: schedule?.format ?? custom?.format ?? ("pdf" as ReportFormat),
      type: times.type,
      hour: times.hour,
      dayOfWeek: times.dayOfWeek ?? 0,
      dayOfMonth: times.dayOfMonth ?? 1,
      recipients: schedule?.recipients ?? ([] as string[]),
      recipient: "",
      skipWhenEmpty: schedule?.skipWhenEmpty ?? false,
    },
  })
  const { values } = form
  const isCustom = values.report === customId
  const category = isCustom ? customId : reportOf(values.report as ReportId).category
  const query =
    schedule && values.report === schedule.report ? schedule.query : values.report === report ? parameters : {}
  const add = () => {
    const address = values.recipient.trim()
    if (address !== "" && !isEmail(address)) {
      form.setFieldError("recipient", invalidAddressMessage)
      return
    }
    const known = values.recipients.some((one) => one.toLowerCase() === address.toLowerCase())
    form.setValues({ recipient: "", ...(address !== "" && !known && { recipients: [...values.recipients, address] }) })
    form.clearFieldError("recipient")
  }
  // Includes a valid address that was typed but not added.
  const recipientsOf = ({ recipient: typed, recipients }: typeof values) =>
    isEmail(typed.trim()) && !recipients.includes(typed.trim()) ? [...recipients, typed.trim()] : recipients
  const check = (given: typeof values) => {
    const noName = given.name.trim() === ""
    const noRecipient = recipientsOf(given).length === 0
    const typed = given.recipient.trim()
    const mistyped = typed !== "" && !isEmail(typed)
    form.setErrors({
      ...(noName && { name: "Enter a name for the schedule" }),
      ...(noRecipient && { recipient: "Add at least one e-mail address" }),
      ...(mistyped && { recipient: invalidAddressMessage }),
    })
    if (noName || noRecipient) toast.error(incompleteMessage, undefined, "Validation Error")
    return !noName && !noRecipient && !mistyped
  }
  const save = async (values: typeof form.values) => {
    const { recipient: _, type, hour, dayOfWeek, dayOfMonth, ...rest } = values
    const recipients = recipientsOf(values)
    // A refusal is shown beside each recipient, so the typed one must be listed first.
    form.setValues({ recipients, recipient: "" })
    const given = { ...rest, ...normalizeTimes({ type, hour, dayOfWeek, dayOfMonth }), recipients, query }
    if (schedule) await update.mutateAsync({ ...given, scheduleId: schedule.id, version: schedule.version })
    else await create.mutateAsync({ ...given, idempotencyKey })
  }
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={schedule ? "Edit schedule" : "Schedule Report"}
      submit={schedule ? "Save" : "Create Schedule"}
      size={620}
      words="Each report covers full days up to its run and shows only the data you have access to."
      form={form}
      check={check}
      save={save}
    >
      <TextInput label="Schedule Name" withAsterisk {...form.getInputProps("name")} />
      <Textarea label="Description" autosize minRows={2} {...form.getInputProps("description")} />
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
        <Select
          label="Report Type"
          allowDeselect={false}
          data={[
            ...categories.map((value) => ({ value: value as string, label: reportCategoryNames[value] })),
            ...(customs.length > 0 ? [{ value: customId, label: "Custom" }] : []),
          ]}
          value={category}
          onChange={(value) =>
            value &&
            form.setValues(
              value === customId
                ? { report: customId, customReportId: customs[0]!.id }
                : { report: first(value as ReportCategory), customReportId: null },
            )
          }
        />
        <Select
          label="Report"
          className={classes.report}
          allowDeselect={false}
          {...(isCustom
            ? {
                data: customs.map(({ id, name }) => ({ value: id, label: name })),
                ...form.getInputProps("customReportId"),
              }
            : {
                data: readable
                  .filter((one) => one.category === category)
                  .map(({ id, name }) => ({ value: id, label: name })),
                ...form.getInputProps("report"),
              })}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: hasDayOfMonth(values.type) || values.type === "weekly" ? 4 : 3 }} spacing="sm">
        <Select
          label="Format"
          allowDeselect={false}
          data={reportFormats.map((value) => ({ value, label: reportFormatNames[value] }))}
          {...form.getInputProps("format")}
        />
        <Select
          label="Schedule Type"
          allowDeselect={false}
          data={scheduleTypes.map((value) => ({ value, label: scheduleTypeNames[value] }))}
          value={values.type}
          onChange={(value) => value && form.setFieldValue("type", value as ScheduleType)}
        />
        {values.type === "weekly" && (
          <NumberedSelect
            label="Day of Week"
            names={weekdayNames.map((label, value) => ({ value, label }))}
            value={values.dayOfWeek}
            onPick={(value) => form.setFieldValue("dayOfWeek", value)}
          />
        )}
        {hasDayOfMonth(values.type) && (
          <NumberedSelect
            label="Day of Month"
            names={Array.from({ length: 28 }, (_, at) => ({ value: at + 1, label: String(at + 1) }))}
            value={values.dayOfMonth}
            onPick={(value) => form.setFieldValue("dayOfMonth", value)}
          />
        )}
        <NumberedSelect
          label="Hour"
          names={Array.from({ length: 24 }, (_, value) => ({ value, label: formatHour(value) }))}
          value={values.hour}
          onPick={(value) => form.setFieldValue("hour", value)}
        />
      </SimpleGrid>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          label="Recipients"
          withAsterisk
          placeholder="name@company.co.za"
          flex={1}
          {...form.getInputProps("recipient")}
          onKeyDown={(event) => {
            if (event.key !== "Enter") return
            event.preventDefault()
            add()
          }}
        />
        <ActionIcon size={36} variant="default" aria-label="Add recipient" onClick={add}>
          <IconPlus size={16} />
        </ActionIcon>
      </Group>
      <ScheduleRecipients
        report={values.report}
        customReportId={isCustom ? values.customReportId : null}
        recipients={values.recipients}
        onRemove={(address) =>
          form.setFieldValue(
            "recipients",
            values.recipients.filter((one) => one !== address),
          )
        }
      />
      <Checkbox label="Skip when the report is empty" {...form.getInputProps("skipWhenEmpty", { type: "checkbox" })} />
    </FormDialog>
  )
}

interface NumberedSelectProps {
  label: string
  names: { value: number; label: string }[]
  value: number
  onPick: (value: number) => void
}

const NumberedSelect = ({ label, names, value, onPick }: NumberedSelectProps) => (
  <Select
    label={label}
    allowDeselect={false}
    data={names.map((one) => ({ value: String(one.value), label: one.label }))}
    value={String(value)}
    onChange={(picked) => picked !== null && onPick(Number(picked))}
  />
)
