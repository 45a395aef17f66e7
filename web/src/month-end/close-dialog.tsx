import { Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import { formatMonth } from "@milkwood/domain/kernel/calendar"
import { type CheckKey, checkTitles } from "@milkwood/domain/month-end/checklist"
import type { MonthDetail } from "@milkwood/domain/month-end/month-end.contract"
import { useState } from "react"
import { newKey } from "../platform/api.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useMonthEndCommands } from "./month-end.api.ts"

/** Incomplete checks need a reason, which is stored in the checklist. */
export default function CloseDialog({ detail, onClose }: { detail: MonthDetail; onClose: () => void }) {
  const { month, checks, next } = detail
  const { close } = useMonthEndCommands()
  const [idempotencyKey] = useState(newKey)
  const left = checks.filter(({ isDone }) => !isDone).map(({ key }) => key)
  const form = useForm<Partial<Record<CheckKey, string>>>({
    initialValues: Object.fromEntries(left.map((key) => [key, ""])),
    validate: Object.fromEntries(
      left.map((key) => [key, (reason?: string) => (reason?.trim() ? null : "Enter a reason")]),
    ),
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Close ${formatMonth(month)}`}
      submit="Close month"
      words={`No more entries can be posted to ${formatMonth(month)}${next === null ? " or to earlier months" : ""}. Late entries are posted to the first day of the next open month. The checklist is stored as it is now.`}
      form={form}
      save={(reasons) => close.mutateAsync({ month, idempotencyKey, reasons })}
    >
      {left.map((key) => (
        <Textarea
          key={key}
          label={`Reason for the open check: ${checkTitles[key]}`}
          required
          autosize
          minRows={2}
          maxLength={500}
          {...form.getInputProps(key)}
        />
      ))}
    </FormDialog>
  )
}
