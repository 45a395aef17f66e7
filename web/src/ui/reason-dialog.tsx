import { Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import { type ReactNode, useState } from "react"
import { newKey } from "../platform/api.ts"
import { requireText } from "./form.ts"
import { FormDialog } from "./form-dialog.tsx"

interface ReasonDialogProps {
  title: string
  words: ReactNode
  submit: string
  missing?: string
  danger?: boolean
  minRows?: number
  maxLength?: number
  /** The key stays the same while the dialog is open, so that a retry runs once. */
  save: (given: { reason: string; idempotencyKey: string }) => Promise<unknown>
  onClose: () => void
}

export default function ReasonDialog(props: ReasonDialogProps) {
  const { missing = "Enter a reason", danger = false, minRows = 2, maxLength, save, ...dialog } = props
  const [idempotencyKey] = useState(newKey)
  const form = useForm({ initialValues: { reason: "" }, validate: { reason: requireText(missing) } })
  return (
    <FormDialog {...dialog} opened danger={danger} form={form} save={({ reason }) => save({ reason, idempotencyKey })}>
      <Textarea
        label="Reason"
        required
        autosize
        minRows={minRows}
        {...(maxLength && { maxLength })}
        {...form.getInputProps("reason")}
      />
    </FormDialog>
  )
}
