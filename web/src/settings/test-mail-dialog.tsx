import { TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { TestedMail } from "@milkwood/domain/settings/settings.contract"
import { refusalOf } from "../platform/errors.ts"
import { useSession } from "../platform/session.ts"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"

interface TestMailDialogProps {
  onClose: () => void
  words: string
  send: (to: string) => Promise<TestedMail>
}

/** Shows the mail server's answer in a toast, or in the dialog if it refused the mail. */
export function TestMailDialog({ onClose, words, send }: TestMailDialogProps) {
  const { user } = useSession()
  const form = useForm({ initialValues: { to: user.email }, validate: { to: requireText("Enter an e-mail address") } })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title="Send test e-mail"
      words={words}
      submit="Send test e-mail"
      busyWords="Sending..."
      form={form}
      save={async ({ to }) => {
        const { state, answer } = await send(to)
        if (answer === null || state === "sent") return
        const message = `Mail server response: ${answer} The e-mail is in the outbox${state === "queued" ? " and will be retried" : ""}.`
        throw refusalOf(409, { code: "MAIL_WAITS", message })
      }}
    >
      <TextInput label="To" type="email" required {...form.getInputProps("to")} />
    </FormDialog>
  )
}
