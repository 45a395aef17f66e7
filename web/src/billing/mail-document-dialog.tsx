import { Skeleton, Textarea, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { MailedDocument } from "@milkwood/domain/billing/delivery"
import type { DocumentMail } from "@milkwood/domain/billing/delivery-shape"
import { isRecipientLine } from "@milkwood/domain/kernel/email"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { api, newKey } from "../platform/api.ts"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { useInvoiceCommands } from "./billing.api.ts"
import classes from "./invoice.module.css"

interface Props {
  document: { kind: MailedDocument; id: string; number: string }
  onClose: () => void
}

export default function MailDocumentDialog({ document: { kind, id, number }, onClose }: Props) {
  const draft = useQuery({
    ...api.billing.delivery.draft.queryOptions({ input: { kind, documentId: id } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (draft.isError) return <LoadFailed title="Failed to load the text" error={draft.error} onRetry={draft.refetch} />
  if (!draft.data) return <Skeleton h={0} />
  const { dueCents, ...start } = draft.data
  return <ResendForm document={{ kind, id, number }} start={start} dueCents={dueCents} onClose={onClose} />
}

function ResendForm(props: Props & { start: DocumentMail; dueCents: number | null }) {
  const { document, start, dueCents, onClose } = props
  const { kind, id, number } = document
  const { mail } = useInvoiceCommands()
  return (
    <MailForm
      title={`Send ${number} again`}
      words={
        kind === "invoice"
          ? `The PDF of ${number} is attached. If part of it has been credited or paid, a copy with these amounts is attached instead.`
          : `The stored PDF of ${number} is attached.`
      }
      submit="Send again"
      start={start}
      save={(values, idempotencyKey) =>
        mail.mutateAsync({ kind, documentId: id, idempotencyKey, mail: values, dueCents })
      }
      onClose={onClose}
    />
  )
}

interface MailFormProps {
  title: string
  words: string
  submit: string
  start: DocumentMail
  save: (mail: DocumentMail, idempotencyKey: string) => Promise<unknown>
  onClose: () => void
}

export function MailForm({ title, words, submit, start, save, onClose }: MailFormProps) {
  const [idempotencyKey] = useState(newKey)
  const form = useForm<DocumentMail>({
    initialValues: start,
    validate: {
      to: (address) => (isRecipientLine(address.trim()) ? null : "Enter the recipient's e-mail address"),
      subject: requireText("Enter a subject"),
      text: requireText("Enter the text"),
    },
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={title}
      size={640}
      words={words}
      submit={submit}
      busyWords="Sending..."
      form={form}
      save={(values) => save(values, idempotencyKey)}
    >
      <TextInput label="To" required type="email" maxLength={200} {...form.getInputProps("to")} />
      <TextInput label="Subject" required maxLength={200} {...form.getInputProps("subject")} />
      <Textarea
        label="Text"
        required
        autosize
        minRows={8}
        maxRows={18}
        maxLength={5000}
        className={classes.letter}
        {...form.getInputProps("text")}
      />
    </FormDialog>
  )
}
