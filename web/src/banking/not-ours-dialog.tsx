import { Radio, Stack, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import { type NotOursReason, notOursNames, notOursReasons } from "@milkwood/domain/banking/bank-placement"
import { useState } from "react"
import { newKey } from "../platform/api.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useLineCommands } from "./banking.api.ts"

const effectTexts: Record<NotOursReason, string> = {
  charge: "Posted to bank charges",
  interest: "Posted to interest received",
  transfer: "The line is not posted",
  unknown: "The line is not posted. Enter a note",
}

interface NotOursDialogProps {
  lineIds: string[]
  onClose: () => void
  onSave?: (asked: Promise<unknown>) => void
}

export default function NotOursDialog({ lineIds, onClose, onSave }: NotOursDialogProps) {
  const { notOurs } = useLineCommands()
  const [idempotencyKey] = useState(newKey)
  const form = useForm({
    initialValues: { reason: "charge" as NotOursReason, note: "" },
    validate: {
      note: (note, { reason }) => (reason === "unknown" && note.trim() === "" ? "Enter a note" : null),
    },
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={
        lineIds.length === 1
          ? "Not a premium or claim payment"
          : `Not a premium or claim payment: ${lineIds.length} lines`
      }
      submit="Not a premium or claim payment"
      words="Choose why. You can undo this later."
      form={form}
      save={(why) => {
        const asked = notOurs.mutateAsync({ lineIds, idempotencyKey, why })
        onSave?.(asked)
        return asked
      }}
    >
      <Radio.Group label="Reason" required {...form.getInputProps("reason")}>
        <Stack gap={6} mt={6}>
          {notOursReasons.map((reason) => (
            <Radio key={reason} value={reason} label={notOursNames[reason]} description={effectTexts[reason]} />
          ))}
        </Stack>
      </Radio.Group>
      <TextInput
        label="Note"
        maxLength={200}
        required={form.values.reason === "unknown"}
        {...form.getInputProps("note")}
      />
    </FormDialog>
  )
}
