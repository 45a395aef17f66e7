import { Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { ReactNode } from "react"
import { required } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"

interface ReasonDialogProps {
  title: string
  words: ReactNode
  submit: string
  /** What stands when nothing was typed: "Say why the claim is rejected." */
  missing: string
  danger?: boolean
  onClose: () => void
  save: (reason: string) => Promise<unknown>
}

/** Asks for the reason of an act that needs one: rejecting before routing, sending back. */
export function ReasonDialog({ missing, save, ...dialog }: ReasonDialogProps) {
  const form = useForm({ initialValues: { reason: "" }, validate: { reason: required(missing) } })
  return (
    <FormDialog {...dialog} opened form={form} save={({ reason }) => save(reason)}>
      <Textarea label="Reason" required autosize minRows={3} {...form.getInputProps("reason")} />
    </FormDialog>
  )
}
