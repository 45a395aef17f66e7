import { Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { ReceiptAction } from "@milkwood/domain/receipts/receipt"
import type { ReceiptDetail } from "@milkwood/domain/receipts/receipts.contract"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { newKey } from "../platform/api.ts"
import { EmptyState } from "../ui/empty-state.tsx"
import { required } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { MoneyText } from "../ui/money.tsx"
import { AllocationFields, allocationsOf, suggestedAllocation } from "./allocation-fields.tsx"
import { openInvoicesQuery, useAllocateReceipt, useReverseReceipt } from "./receipts.api.ts"

/** The dialogs of a receipt. */
export default function ReceiptDialogs(props: { record: ReceiptDetail; act: ReceiptAction; onClose: () => void }) {
  const { record, act, onClose } = props
  if (act === "reverse") return <ReverseDialog receipt={record} onClose={onClose} />
  return <AllocateDialog receipt={record} leftCents={record.amountCents - record.allocatedCents} onClose={onClose} />
}

function AllocateDialog(props: { receipt: ReceiptDetail; leftCents: number; onClose: () => void }) {
  const { receipt, leftCents, onClose } = props
  const open = useQuery(openInvoicesQuery(receipt.policyId))
  const invoices = open.data?.invoices ?? []
  const allocate = useAllocateReceipt()
  const [idempotencyKey] = useState(newKey)
  const [chosen, setChosen] = useState<Record<string, number | null>>()
  const allocation = chosen ?? suggestedAllocation(leftCents, invoices)
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
      save={() =>
        allocate.mutateAsync({
          receiptId: receipt.id,
          version: receipt.version,
          idempotencyKey,
          allocations: allocationsOf(allocation),
        })
      }
    >
      {open.isSuccess && invoices.length === 0 ? (
        <EmptyState title="No open invoice">This policy owes nothing at the moment.</EmptyState>
      ) : (
        <AllocationFields invoices={invoices} availableCents={leftCents} value={allocation} onChange={setChosen} />
      )}
    </FormDialog>
  )
}

function ReverseDialog({ receipt, onClose }: { receipt: ReceiptDetail; onClose: () => void }) {
  const reverse = useReverseReceipt()
  const [idempotencyKey] = useState(newKey)
  const form = useForm({ initialValues: { reason: "" }, validate: { reason: required("Give the reason") } })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title="Reverse receipt"
      submit="Reverse receipt"
      danger
      words={`${receipt.number} is reversed: what it paid is owed again, and the ledger gets the reversing entries. This cannot be undone.`}
      form={form}
      save={({ reason }) =>
        reverse.mutateAsync({ receiptId: receipt.id, version: receipt.version, idempotencyKey, reason })
      }
    >
      <Textarea label="Reason" required autosize minRows={2} {...form.getInputProps("reason")} />
    </FormDialog>
  )
}
