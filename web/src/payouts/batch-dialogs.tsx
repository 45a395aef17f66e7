import { Modal, Radio, Stack, Text, Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import { type BatchAction, type Withdrawal, withdrawalNames, withdrawals } from "@milkwood/domain/payouts/batch"
import type { BatchDetail } from "@milkwood/domain/payouts/batches.contract"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { api, newKey } from "../platform/api.ts"
import { useEscape } from "../platform/keyboard.ts"
import { keepNumbersUnbroken } from "../ui/breakable.tsx"
import { DayText } from "../ui/day.tsx"
import { DayInput } from "../ui/day-input.tsx"
import { DocumentUploader } from "../ui/document-uploader.tsx"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { MoneyText } from "../ui/money.tsx"
import { useUnsavedInput } from "../ui/unsaved.ts"
import { downloadWithToast } from "../ui/use-download.ts"
import { batchStepNames } from "./batch-actions.tsx"
import BatchDialog from "./batch-dialog.tsx"
import { batchChoicesQuery, useBatchCommands } from "./payouts.api.ts"

interface Props {
  record: BatchDetail
  act: BatchAction
  onClose: () => void
}

export default function BatchDialogs({ record: batch, act, onClose }: Props) {
  const commands = useBatchCommands()
  const [idempotencyKey] = useState(newKey)
  const step = { batchId: batch.id, version: batch.version, idempotencyKey }
  const nothing = useForm({ initialValues: {} })
  const reason = useForm({ initialValues: { reason: "" }, validate: { reason: requireText("Enter a reason") } })
  const dialog = { opened: true, onClose, title: batchStepNames[act], submit: batchStepNames[act] }
  const sum = <MoneyText cents={batch.amountCents} />
  const [file] = batch.files

  switch (act) {
    case "release":
      return (
        <FormDialog
          {...dialog}
          words={
            <>
              {batch.paymentCount} {batch.paymentCount === 1 ? "payment" : "payments"}, {sum} in total, from{" "}
              {batch.accountName} on <DayText day={batch.executionOn} />. The payments cannot be changed after the
              release. The payment file is then created.
            </>
          }
          form={nothing}
          save={() => commands.release.mutateAsync(step)}
        >
          {null}
        </FormDialog>
      )
    case "add":
      return (
        <FormDialog
          {...dialog}
          words="Adds every bank payment that is waiting for release and is not in a batch."
          form={nothing}
          save={() => commands.add.mutateAsync(step)}
        >
          {null}
        </FormDialog>
      )
    case "export":
      return (
        <FormDialog
          {...dialog}
          words={`${file?.messageId ?? "The file"} can be exported only once. Delete your copy after you upload it to the bank. If you lose it, withdraw the file and create a new one.`}
          form={nothing}
          save={async () => {
            const { address } = await commands.export.mutateAsync({ batchId: batch.id, idempotencyKey })
            await downloadWithToast(address)
          }}
        >
          {null}
        </FormDialog>
      )
    case "cancel":
      return (
        <FormDialog
          {...dialog}
          danger
          words="Its payments can be added to another batch."
          form={reason}
          save={(values) => commands.cancel.mutateAsync({ ...step, ...values })}
        >
          <Textarea label="Reason" required autosize minRows={2} {...reason.getInputProps("reason")} />
        </FormDialog>
      )
    case "edit":
      return <BatchDialog batch={batch} onClose={onClose} onDone={onClose} />
    case "withdraw":
      return <WithdrawDialog {...dialog} step={step} messageId={file?.messageId ?? ""} />
    case "replace":
      return <ReplaceFileDialog {...dialog} step={step} batch={batch} />
    case "answer":
      return <AnswerDialog batch={batch} title={dialog.title} onClose={onClose} />
    case "takeOut":
      return null
  }
}

interface StepDialogProps {
  opened: boolean
  onClose: () => void
  title: string
  submit: string
  step: { batchId: string; version: number; idempotencyKey: string }
}

function WithdrawDialog({ step, messageId, ...dialog }: StepDialogProps & { messageId: string }) {
  const { withdraw } = useBatchCommands()
  const form = useForm({ initialValues: { why: "not_sent" as Withdrawal, reason: "" } })
  return (
    <FormDialog
      {...dialog}
      danger
      submit="Withdraw file"
      words={`Withdraw the file only if the bank did not pay it: ${messageId} becomes invalid, and you can create a new file with the payments that are still processing. Both hashes stay on record.`}
      form={form}
      save={(values) => withdraw.mutateAsync({ ...step, ...values })}
    >
      <Radio.Group label="What happened" required {...form.getInputProps("why")}>
        <Stack gap="xs" mt="xs">
          {withdrawals.map((value) => (
            <Radio key={value} value={value} label={withdrawalNames[value]} />
          ))}
        </Stack>
      </Radio.Group>
      <Textarea label="Note" autosize minRows={2} {...form.getInputProps("reason")} />
    </FormDialog>
  )
}

function ReplaceFileDialog({ step, batch, ...dialog }: StepDialogProps & { batch: BatchDetail }) {
  const { replace } = useBatchCommands()
  const choices = useQuery(batchChoicesQuery())
  const form = useForm({
    initialValues: { executionOn: null as string | null },
    validate: { executionOn: requireText("Enter the execution day") },
  })
  return (
    <FormDialog
      {...dialog}
      words={`${batch.underway} ${batch.underway === 1 ? "payment is" : "payments are"} still processing and will be in the new file.`}
      form={form}
      save={({ executionOn }) => replace.mutateAsync({ ...step, executionOn: executionOn! })}
    >
      <DayInput
        label="Execution day"
        description={
          choices.data && (
            <>
              The earliest execution day is <DayText day={choices.data.firstDay} />
            </>
          )
        }
        required
        {...form.getInputProps("executionOn")}
      />
    </FormDialog>
  )
}

function AnswerDialog({ batch, title, onClose }: { batch: BatchDetail; title: string; onClose: () => void }) {
  const queryClient = useQueryClient()
  useUnsavedInput(true)
  useEscape(onClose, true)
  return (
    <Modal opened onClose={onClose} title={title}>
      <Stack gap="sm">
        <Text size="sm">
          Import the bank response (pain.002) to {keepNumbersUnbroken(batch.files[0]?.messageId)}. Settled payments are
          completed. Rejected payments fail with the bank's reason.
        </Text>
        <DocumentUploader<{ jobId: string }>
          label="Choose the bank response"
          url={`/api/payment-batches/${batch.id}/answers`}
          accept={["xml"]}
          maxMegabytes={40}
          onUploaded={() => {
            void queryClient.invalidateQueries({ queryKey: api.payouts.key() })
            onClose()
          }}
        />
      </Stack>
    </Modal>
  )
}
