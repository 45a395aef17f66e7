import { type UseFormReturnType, useForm } from "@mantine/form"
import { receiptMethods } from "@milkwood/domain/receipts/receipt"
import { useQuery } from "@tanstack/react-query"
import { useLayoutEffect, useRef, useState } from "react"
import { newKey } from "../platform/api.ts"
import { useConfirm } from "../ui/confirm.tsx"
import { useDisplay } from "../ui/display.tsx"
import { requireText, showRefusedFields, validatePositiveAmount } from "../ui/form.ts"
import { useUnsavedGuard } from "../ui/use-unsaved-guard.tsx"
import { allocationsOf, suggestAllocation } from "./allocation-fields.tsx"
import { openInvoicesQuery, useRecordReceipt } from "./receipts.api.ts"

interface Values {
  number: string
  receivedOn: string | null
  policyId: string | null
  amountCents: number | null
  method: string
  reference: string
  notes: string
}

export interface ReceiptStart {
  policyId?: string
  invoiceId?: string
  onDone: (receiptId: string) => void
  onCancel: () => void
}

export function useReceiptForm(start: ReceiptStart) {
  const { today } = useDisplay()
  const record = useRecordReceipt()
  // One key per receipt, so that repeated clicks and retries are idempotent.
  const [idempotencyKey] = useState(newKey)
  const form = useForm<Values>({
    initialValues: {
      number: "",
      receivedOn: today,
      policyId: start.policyId ?? null,
      amountCents: null,
      method: "bank_transfer",
      reference: "",
      notes: "",
    },
    validate: {
      receivedOn: (value) =>
        value === null ? "Enter the receipt date" : value > today ? "The receipt date cannot be in the future" : null,
      policyId: requireText("Choose a policy"),
      amountCents: validatePositiveAmount,
    },
  })
  useUnsavedGuard(form.isDirty() && !record.isPending && !record.isSuccess)
  const allocation = useAllocation(form, start)

  const save = async (values: Values) => {
    const { chosen } = allocation
    try {
      const receipt = await record.mutateAsync({
        idempotencyKey,
        number: values.number,
        receivedOn: values.receivedOn!,
        policyId: values.policyId!,
        amountCents: values.amountCents!,
        method: receiptMethods.find((method) => method === values.method) ?? "bank_transfer",
        reference: values.reference,
        notes: values.notes,
        ...(chosen ? { allocations: allocationsOf(chosen) } : { oldestFirst: true }),
      })
      start.onDone(receipt.id)
    } catch (error) {
      showRefusedFields(form, error)
    }
  }

  const mayLeave = useConfirmDiscard(form)
  const leave = async () => {
    if (await mayLeave()) start.onCancel()
  }
  return { form, today, record, allocation, save, leave }
}

export function useConfirmDiscard(form: { isDirty: () => boolean }): () => Promise<boolean> {
  const confirm = useConfirm()
  const question = {
    title: "Discard this receipt?",
    body: "Your entries are not saved.",
    confirm: "Discard receipt",
    cancel: "Keep editing",
    danger: true,
  }
  return async () => !form.isDirty() || (await confirm(question))
}

function useAllocation(form: UseFormReturnType<Values>, { policyId, invoiceId }: ReceiptStart) {
  const open = useQuery({
    ...openInvoicesQuery(form.values.policyId ?? ""),
    enabled: form.values.policyId !== null,
  })
  const invoices = open.data?.invoices ?? []
  const [chosen, choose] = useState<Record<string, number | null>>()
  const paid = invoices.find(({ id }) => id === invoiceId)
  const [prefilled, setPrefilled] = useState(false)
  const [changed, setChanged] = useState(false)
  if (paid && !prefilled && form.values.policyId === policyId) {
    setPrefilled(true)
    if (!changed) {
      const start = { ...form.values, amountCents: paid.outstandingCents }
      form.setValues(start)
      form.resetDirty(start)
      choose({ [paid.id]: paid.outstandingCents })
    }
  }
  const amountField = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (prefilled && document.activeElement === amountField.current) amountField.current?.select()
  }, [prefilled])
  const availableCents = form.values.amountCents ?? 0
  return {
    known: form.values.policyId !== null && open.data !== undefined,
    /** The linked invoice is loading: saving waits unless the user types an amount. */
    awaited: open.isLoading && invoiceId !== undefined && form.values.policyId === policyId && !changed,
    invoices,
    availableCents,
    chosen,
    value: chosen ?? suggestAllocation(availableCents, invoices),
    choose,
    forget: () => {
      choose(undefined)
      setChanged(true)
    },
    amountField,
  }
}
