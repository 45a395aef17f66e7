import { Skeleton, Textarea, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { MailDraft } from "@milkwood/domain/collection/collection.contract"
import { type PremiumMailKind, premiumMailFields } from "@milkwood/domain/collection/premium-mail"
import { type MailText, unknownFieldMessage, unknownFields } from "@milkwood/domain/platform/mail-template"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { newKey } from "../platform/api.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { mailDraftQuery, reminderTextQuery, useMailCommands } from "./collection.api.ts"
import classes from "./collection.module.css"

const mailDialogTitles: Record<PremiumMailKind, string> = {
  reminder: "Send reminder",
  notice: "Send notice of non-payment",
}

interface MailDialogProps {
  policy: { policyId: string; policyNumber: string; groupName: string }
  kind: PremiumMailKind
  onClose: () => void
}

export function MailDialog({ policy, kind, onClose }: MailDialogProps) {
  const draft = useQuery({ ...mailDraftQuery(policy.policyId, kind), staleTime: Number.POSITIVE_INFINITY, gcTime: 0 })
  if (draft.isError) return <LoadFailed title="Failed to load the text" error={draft.error} onRetry={draft.refetch} />
  if (!draft.data) return <Skeleton h={0} />
  return <MailForm kind={kind} policyIds={[policy.policyId]} start={draft.data} draft={draft.data} onClose={onClose} />
}

export function BulkReminderDialog({ policyIds, onClose }: { policyIds: string[]; onClose: () => void }) {
  const text = useQuery({ ...reminderTextQuery(), staleTime: Number.POSITIVE_INFINITY, gcTime: 0 })
  if (text.isError) return <LoadFailed title="Failed to load the text" error={text.error} onRetry={text.refetch} />
  if (!text.data) return <Skeleton h={0} />
  return <MailForm kind="reminder" policyIds={policyIds} start={text.data} onClose={onClose} />
}

interface MailFormProps {
  kind: PremiumMailKind
  policyIds: string[]
  start: MailText
  draft?: MailDraft
  onClose: () => void
}

function MailForm({ kind, policyIds, start, draft, onClose }: MailFormProps) {
  const { remind, sendNotice } = useMailCommands()
  const [idempotencyKey] = useState(newKey)
  const checked = (missing: string) => (text: string) => {
    if (text.trim() === "") return missing
    const [unknown] = unknownFields(premiumMailFields, text)
    return unknown === undefined ? null : unknownFieldMessage(unknown)
  }
  const form = useForm<MailText>({
    initialValues: { subject: start.subject, text: start.text },
    validate: { subject: checked("Enter a subject"), text: checked("Enter the text") },
  })
  const [policyId] = policyIds
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={mailDialogTitles[kind]}
      size={640}
      words={
        draft
          ? `To ${draft.to}. The statement of account is attached as a PDF.`
          : `To ${policyIds.length} policies, except those that are paid up or have no e-mail address. Each policy's statement of account is attached as a PDF.`
      }
      submit={mailDialogTitles[kind]}
      busyWords="Sending..."
      form={form}
      save={(values) =>
        kind === "notice" && policyId
          ? sendNotice.mutateAsync({ policyId, idempotencyKey, ...values })
          : remind.mutateAsync({ policyIds, idempotencyKey, ...values })
      }
    >
      <TextInput label="Subject" required maxLength={200} {...form.getInputProps("subject")} />
      <Textarea
        label="Text"
        required
        autosize
        minRows={10}
        maxRows={18}
        maxLength={5000}
        {...form.getInputProps("text")}
      />
      {!draft && (
        <details className={classes.quiet}>
          <summary>Placeholders</summary>
          {Object.entries(premiumMailFields).map(([name, { words }]) => (
            <div key={name}>
              {`{${name}}`}: {words}
            </div>
          ))}
        </details>
      )}
    </FormDialog>
  )
}
