import { Button, Checkbox, Group, Select, SimpleGrid, Skeleton, Textarea, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import {
  type ReceiptAction,
  receiptMethodNames,
  receiptMethods,
  remainingCreditOf,
} from "@milkwood/domain/receipts/receipt"
import type { ReceiptDetail } from "@milkwood/domain/receipts/receipts.contract"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { MailForm } from "../billing/mail-document-dialog.tsx"
import { newKey } from "../platform/api.ts"
import { PolicySelect } from "../policies/policy-select.tsx"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { EmptyState } from "../ui/empty-state.tsx"
import { requireText, validatePositiveAmount } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { MoneyText } from "../ui/money.tsx"
import { MoneyInput } from "../ui/money-input.tsx"
import { AllocationFields, allocationsOf, suggestAllocation } from "./allocation-fields.tsx"
import { openInvoicesQuery, receiptMailQuery, useAllocationCommands, useReceiptCommands } from "./receipts.api.ts"

interface Props {
  receipt: ReceiptDetail
  onClose: () => void
}

export default function ReceiptDialogs(props: { record: ReceiptDetail; act: ReceiptAction; onClose: () => void }) {
  const { record: receipt, act, onClose } = props
  const Dialog = dialogByAction[act]
  return Dialog && <Dialog receipt={receipt} onClose={onClose} />
}

const dialogByAction: Partial<Record<ReceiptAction, typeof AllocateDialog>> = {
  allocate: AllocateDialog,
  edit: EditDialog,
  mail: MailDialog,
  reverse: ReverseDialog,
}

function AllocateDialog({ receipt, onClose }: Props) {
  const leftCents = remainingCreditOf(receipt)
  const open = useQuery(openInvoicesQuery(receipt.policyId))
  const invoices = open.data?.invoices ?? []
  const { allocate } = useAllocationCommands()
  const [idempotencyKey] = useState(newKey)
  const [chosen, setChosen] = useState<Record<string, number | null>>()
  const allocation = chosen ?? suggestAllocation(leftCents, invoices)
  const form = useForm({ initialValues: {} })
  return (
    <FormDialog
      opened
      onClose={onClose}
      size={640}
      title="Allocate receipt"
      submit="Allocate receipt"
      words={
        <>
          <MoneyText cents={leftCents} /> of {receipt.number} is not allocated yet.
        </>
      }
      form={form}
      save={() => allocate(receipt, allocationsOf(allocation), idempotencyKey)}
    >
      {open.isSuccess && invoices.length === 0 ? (
        <EmptyState title="No open invoice">This policy owes nothing.</EmptyState>
      ) : (
        <>
          <Group justify="flex-end">
            <Button variant="default" size="compact-sm" onClick={() => setChosen(undefined)}>
              Oldest first
            </Button>
          </Group>
          <AllocationFields invoices={invoices} availableCents={leftCents} value={allocation} onChange={setChosen} />
        </>
      )}
    </FormDialog>
  )
}

function EditDialog({ receipt, onClose }: Props) {
  const { update } = useReceiptCommands()
  const { today } = useDisplay()
  const { policyId, method, reference, notes } = receipt
  const form = useForm<{
    policyId: string | null
    receivedOn: string | null
    amountCents: number | null
    method: typeof method
    reference: string
    notes: string
  }>({
    initialValues: {
      policyId,
      receivedOn: receipt.receivedOn,
      amountCents: receipt.amountCents,
      method,
      reference,
      notes,
    },
    validate: {
      policyId: requireText("Choose a policy"),
      receivedOn: requireText("Enter the receipt date"),
      amountCents: validatePositiveAmount,
    },
  })
  const ofDeposit = receipt.deposit !== null
  return (
    <FormDialog
      opened
      onClose={onClose}
      size={620}
      title={`Edit ${receipt.number}`}
      submit="Save"
      words={
        ofDeposit
          ? "This receipt is part of a deposit. You cannot change its date, amount or method."
          : "You can correct a receipt until it is allocated. The ledger keeps the original entries."
      }
      form={form}
      save={({ policyId, receivedOn, amountCents, ...values }) =>
        update.mutateAsync({
          receiptId: receipt.id,
          version: receipt.version,
          policyId: policyId!,
          receivedOn: receivedOn!,
          amountCents: amountCents!,
          ...values,
        })
      }
    >
      <PolicySelect
        label="Policy"
        required
        statuses={["Active", "Suspended", "Terminated", "Expired"]}
        {...form.getInputProps("policyId")}
        onChange={(id) => form.setFieldValue("policyId", id)}
      />
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
        <DayInput
          label="Receipt Date"
          required
          latest={today}
          disabled={ofDeposit}
          {...form.getInputProps("receivedOn")}
        />
        <MoneyInput label="Amount" required disabled={ofDeposit} {...form.getInputProps("amountCents")} />
        <Select
          label="Payment Method"
          required
          allowDeselect={false}
          disabled={ofDeposit}
          data={receiptMethods.map((value) => ({ value, label: receiptMethodNames[value] }))}
          {...form.getInputProps("method")}
        />
      </SimpleGrid>
      <TextInput
        label="Reference Number"
        placeholder="Bank reference or cheque number"
        {...form.getInputProps("reference")}
      />
      <Textarea label="Notes" autosize minRows={2} {...form.getInputProps("notes")} />
    </FormDialog>
  )
}

function MailDialog({ receipt, onClose }: Props) {
  const draft = useQuery({ ...receiptMailQuery(receipt.id), staleTime: Number.POSITIVE_INFINITY, gcTime: 0 })
  const { mail } = useReceiptCommands()
  if (draft.isError) return <LoadFailed title="Failed to load the text" error={draft.error} onRetry={draft.refetch} />
  if (!draft.data) return <Skeleton h={0} />
  return (
    <MailForm
      title={`Send ${receipt.number}`}
      words={`The current version of ${receipt.number} is attached as a PDF.`}
      submit="Send receipt"
      start={draft.data}
      save={(values, idempotencyKey) => mail.mutateAsync({ receiptId: receipt.id, idempotencyKey, mail: values })}
      onClose={onClose}
    />
  )
}

function ReverseDialog({ receipt, onClose }: Props) {
  const { reverse, reverseDeposit } = useReceiptCommands()
  const [idempotencyKey] = useState(newKey)
  const { deposit } = receipt
  const others = deposit?.receipts.filter(({ id, status }) => id !== receipt.id && status !== "Reversed") ?? []
  const form = useForm({
    initialValues: { reason: "", whole: false },
    validate: { reason: requireText("Enter a reason") },
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title="Reverse receipt"
      submit="Reverse receipt"
      danger
      words={`All allocations of ${receipt.number} are removed, its invoices are due again, and reversing entries are posted to the ledger. This cannot be undone.`}
      form={form}
      save={({ reason, whole }) =>
        whole && deposit
          ? reverseDeposit.mutateAsync({ depositId: deposit.id, idempotencyKey, reason })
          : reverse.mutateAsync({ receiptId: receipt.id, version: receipt.version, idempotencyKey, reason })
      }
    >
      {deposit && others.length > 0 && (
        <Checkbox
          label={`Reverse all of ${deposit.number}`}
          description={`The payment bounced. Also reverses ${others.map(({ number }) => number).join(", ")}.`}
          {...form.getInputProps("whole", { type: "checkbox" })}
        />
      )}
      <Textarea label="Reason" required autosize minRows={2} {...form.getInputProps("reason")} />
    </FormDialog>
  )
}
