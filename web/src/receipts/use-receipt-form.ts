import { type UseFormReturnType, useForm } from "@mantine/form"
import { receiptMethods } from "@milkwood/domain/receipts/receipt"
import { useQuery } from "@tanstack/react-query"
import { useLayoutEffect, useRef, useState } from "react"
import { newKey } from "../platform/api.ts"
import { useConfirm } from "../ui/confirm.tsx"
import { useDisplay } from "../ui/display.tsx"
import { positiveAmount, required, showRefusedFields } from "../ui/form.ts"
import { useUnsavedGuard } from "../ui/use-unsaved-guard.tsx"
import { allocationsOf, suggestedAllocation } from "./allocation-fields.tsx"
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

/** Where a new receipt starts, and what follows it. */
export interface ReceiptStart {
  /** A policy to start with: where one came from its invoice. */
  policyId?: string
  /** The invoice one came from: the amount starts as what is open on it. */
  invoiceId?: string
  /** The receipt's id; of a deposit, its first. */
  onDone: (receiptId: string) => void
  onCancel: () => void
}

/** A new receipt as it is typed: its fields, what it is set against, and the saving and leaving of it. */
export function useReceiptForm(start: ReceiptStart) {
  const { today } = useDisplay()
  const record = useRecordReceipt()
  // One key for this receipt, however often the button is pressed or the answer is lost.
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
        value === null ? "Give the receipt date" : value > today ? "The receipt date is in the future" : null,
      policyId: required("Choose a policy"),
      amountCents: positiveAmount,
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

  const mayLeave = useDiscarding(form)
  const leave = async () => {
    if (await mayLeave()) start.onCancel()
  }
  return { form, today, record, allocation, save, leave }
}

/** Asks before what was typed is left. */
export function useDiscarding(form: { isDirty: () => boolean }): () => Promise<boolean> {
  const confirm = useConfirm()
  const question = {
    title: "Discard this receipt?",
    body: "What you typed has not been saved.",
    confirm: "Discard receipt",
    cancel: "Keep typing",
    danger: true,
  }
  return async () => !form.isDirty() || (await confirm(question))
}

/** What the receipt is set against: as somebody chose, the invoice one came from, else the oldest ones first. */
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
  // What is typed just then replaces the amount that was filled in, and is not appended to it.
  const amountField = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (prefilled && document.activeElement === amountField.current) amountField.current?.select()
  }, [prefilled])
  const availableCents = form.values.amountCents ?? 0
  return {
    /** Whether there is a policy whose open invoices are known. */
    known: form.values.policyId !== null && open.data !== undefined,
    /** The amount of the invoice one came from is on its way: nothing is recorded before it is seen, or typed. */
    awaited: open.isLoading && invoiceId !== undefined && form.values.policyId === policyId && !changed,
    invoices,
    availableCents,
    chosen,
    value: chosen ?? suggestedAllocation(availableCents, invoices),
    choose,
    /** Back to the oldest first: what was chosen was for another policy or amount. */
    forget: () => {
      choose(undefined)
      setChanged(true)
    },
    amountField,
  }
}
