import { Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import { useState } from "react"
import { newKey } from "../platform/api.ts"
import { required } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"

/** Asks for the reason of something that stays on record. */
export default function ReasonDialog(props: {
  title: string
  words: string
  submit: string
  danger?: boolean
  save: (given: { reason: string; idempotencyKey: string }) => Promise<unknown>
  onClose: () => void
}) {
  const { title, words, submit, danger = false, save, onClose } = props
  const [idempotencyKey] = useState(newKey)
  const form = useForm({ initialValues: { reason: "" }, validate: { reason: required("Give the reason") } })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={title}
      submit={submit}
      words={words}
      danger={danger}
      form={form}
      save={({ reason }) => save({ reason, idempotencyKey })}
    >
      <Textarea label="Reason" required autosize minRows={2} maxLength={500} {...form.getInputProps("reason")} />
    </FormDialog>
  )
}
