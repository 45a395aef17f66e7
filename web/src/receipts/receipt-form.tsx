import { Button, Group, Paper, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import { receiptMethodNames, receiptMethods } from "@milkwood/domain/receipts/receipt"
import type { ReceiptDetail } from "@milkwood/domain/receipts/receipts.contract"
import { useQuery } from "@tanstack/react-query"
import { useLayoutEffect, useRef, useState } from "react"
import { newKey } from "../platform/api.ts"
import { errorText } from "../platform/errors.ts"
import { useKeys } from "../platform/keyboard.ts"
import { finePointer } from "../platform/pointer.ts"
import { PolicySelect } from "../policies/policy-select.tsx"
import { useConfirm } from "../ui/confirm.tsx"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { required, showRefusedFields, toFirstError } from "../ui/form.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { MoneyInput } from "../ui/money-input.tsx"
import { showUnreadable } from "../ui/unreadable.ts"
import { useUnsavedGuard } from "../ui/use-unsaved-guard.tsx"
import { AllocationFields, allocationsOf, suggestedAllocation } from "./allocation-fields.tsx"
import { nextReceiptNumberQuery, openInvoicesQuery, useRecordReceipt } from "./receipts.api.ts"

interface Values {
  number: string
  receivedOn: string | null
  policyId: string | null
  amountCents: number | null
  method: string
  reference: string
  notes: string
}

interface ReceiptFormProps {
  /** A policy to start with: where one came from its invoice. */
  policyId?: string
  /** The invoice one came from: the amount starts as what is open on it. */
  invoiceId?: string
  onDone: (receipt: ReceiptDetail) => void
  onCancel: () => void
}

/** A receipt as the bank notice has it; set against the oldest invoices of its policy until somebody says otherwise. */
export function ReceiptForm({ policyId, invoiceId, onDone, onCancel }: ReceiptFormProps) {
  const { today } = useDisplay()
  const next = useQuery(nextReceiptNumberQuery())
  const record = useRecordReceipt()
  // One key for this receipt, however often the button is pressed or the answer is lost.
  const [idempotencyKey] = useState(newKey)
  const form = useForm<Values>({
    initialValues: {
      number: "",
      receivedOn: today,
      policyId: policyId ?? null,
      amountCents: null,
      method: "bank_transfer",
      reference: "",
      notes: "",
    },
    validate: {
      receivedOn: (value) =>
        value === null ? "Give the receipt date" : value > today ? "The receipt date is in the future" : null,
      policyId: required("Choose a policy"),
      amountCents: (value) => (value === null || value <= 0 ? "Give an amount of more than R 0" : null),
    },
  })
  useUnsavedGuard(form.isDirty() && !record.isPending && !record.isSuccess)

  const open = useQuery({
    ...openInvoicesQuery(form.values.policyId ?? ""),
    enabled: form.values.policyId !== null,
  })
  const invoices = open.data?.invoices ?? []
  const [chosen, setChosen] = useState<Record<string, number | null>>()
  const paid = invoices.find(({ id }) => id === invoiceId)
  const [prefilled, setPrefilled] = useState(false)
  if (paid && !prefilled && form.values.policyId === policyId) {
    setPrefilled(true)
    if (form.values.amountCents === null) {
      const start = { ...form.values, amountCents: paid.outstandingCents }
      form.setValues(start)
      form.resetDirty(start)
      setChosen({ [paid.id]: paid.outstandingCents })
    }
  }
  // What is typed just then replaces the amount that was filled in, and is not appended to it.
  const amountField = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    if (prefilled && document.activeElement === amountField.current) amountField.current?.select()
  }, [prefilled])
  const amount = form.values.amountCents ?? 0
  const allocation = chosen ?? suggestedAllocation(amount, invoices)

  const save = form.onSubmit(async (values, event) => {
    if (showUnreadable(event?.currentTarget ?? null)) return
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
        ...(chosen ? { allocations: allocationsOf(chosen) } : {}),
      })
      onDone(receipt)
    } catch (error) {
      showRefusedFields(form, error)
    }
  })

  const confirm = useConfirm()
  const leave = async () => {
    const typed = form.isDirty()
    const question = {
      title: "Discard this receipt?",
      body: "What you typed has not been saved.",
      confirm: "Discard receipt",
      cancel: "Keep typing",
      danger: true,
    }
    if (!typed || (await confirm(question))) onCancel()
  }
  const place = useRef<HTMLFormElement>(null)
  const submit = () => record.isPending || place.current?.requestSubmit()
  useKeys({ "mod+Enter": submit, "mod+s": submit, Escape: form.isDirty() ? undefined : onCancel })

  return (
    <Paper component="section" withBorder p="md" mb="md" aria-label="New receipt">
      <form
        ref={place}
        onSubmit={(event) => {
          save(event)
          toFirstError(event.currentTarget)
        }}
        noValidate
      >
        <Stack gap="sm">
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
            <TextInput
              label="Receipt Number"
              placeholder={next.data?.number}
              description="Left empty, the next number is given"
              inputWrapperOrder={["label", "input", "description", "error"]}
              {...form.getInputProps("number")}
            />
            <DayInput label="Receipt Date" required latest={today} {...form.getInputProps("receivedOn")} />
            <PolicySelect
              label="Policy"
              required
              autoFocus={finePointer && !policyId}
              statuses={["Active", "Suspended", "Terminated", "Expired"]}
              {...form.getInputProps("policyId")}
              onChange={(id) => {
                form.setFieldValue("policyId", id)
                setChosen(undefined)
              }}
            />
            <MoneyInput
              ref={amountField}
              label="Amount"
              required
              autoFocus={finePointer && Boolean(policyId)}
              {...form.getInputProps("amountCents")}
              onChange={(cents) => {
                form.setFieldValue("amountCents", cents)
                setChosen(undefined)
              }}
            />
            <Select
              label="Payment Method"
              required
              data={receiptMethods.map((value) => ({ value, label: receiptMethodNames[value] }))}
              {...form.getInputProps("method")}
            />
            <TextInput
              label="Reference Number"
              placeholder="Bank reference or cheque number"
              {...form.getInputProps("reference")}
            />
          </SimpleGrid>
          <Textarea label="Notes" autosize minRows={2} {...form.getInputProps("notes")} />
          {form.values.policyId !== null &&
            open.data &&
            (invoices.length > 0 ? (
              <AllocationFields invoices={invoices} availableCents={amount} value={allocation} onChange={setChosen} />
            ) : (
              <Text c="dimmed">This policy has no open invoice: the receipt becomes unallocated credit.</Text>
            ))}
          {record.error && <InlineError>{errorText(record.error)}</InlineError>}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => void leave()} disabled={record.isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={record.isPending}>
              Create Receipt
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  )
}
