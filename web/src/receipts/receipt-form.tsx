import { Button, Group, Paper, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from "@mantine/core"
import { receiptMethodNames, receiptMethods } from "@milkwood/domain/receipts/receipt"
import { useQuery } from "@tanstack/react-query"
import { useRef } from "react"
import { errorTextOf } from "../platform/errors.ts"
import { useKeys } from "../platform/keyboard.ts"
import { finePointer } from "../platform/pointer.ts"
import { PolicySelect } from "../policies/policy-select.tsx"
import { DayInput } from "../ui/day-input.tsx"
import { focusFirstError } from "../ui/form.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { MoneyInput } from "../ui/money-input.tsx"
import { focusUnreadableField } from "../ui/unreadable.ts"
import { AllocationFields } from "./allocation-fields.tsx"
import { nextReceiptNumberQuery } from "./receipts.api.ts"
import { type ReceiptStart, useConfirmDiscard, useReceiptForm } from "./use-receipt-form.ts"

type Receipt = ReturnType<typeof useReceiptForm>

/** Allocates to the policy's oldest invoices by default. */
export function ReceiptForm({ onSeveral, ...start }: ReceiptStart & { onSeveral: () => void }) {
  const receipt = useReceiptForm(start)
  const mayLeave = useConfirmDiscard(receipt.form)
  const { form, record, allocation, save, leave } = receipt
  const send = form.onSubmit((values, event) => {
    if (!focusUnreadableField(event?.currentTarget ?? null)) void save(values)
  })
  const place = useRef<HTMLFormElement>(null)
  const submit = () => record.isPending || allocation.awaited || place.current?.requestSubmit()
  useKeys({ "mod+Enter": submit, "mod+s": submit, Escape: form.isDirty() ? undefined : start.onCancel })
  return (
    <Paper component="section" withBorder p="md" mb="md" aria-label="New receipt">
      <form
        ref={place}
        onSubmit={(event) => {
          send(event)
          focusFirstError(event.currentTarget)
        }}
        noValidate
      >
        <Stack gap="sm">
          <ReceiptFields receipt={receipt} policyGiven={start.policyId !== undefined} />
          <AllocationSection {...allocation} />
          {record.error && <InlineError>{errorTextOf(record.error)}</InlineError>}
          <Group justify="flex-end" gap="xs">
            <Button
              variant="default"
              mr="auto"
              disabled={record.isPending}
              onClick={async () => {
                if (await mayLeave()) onSeveral()
              }}
            >
              One payment for several policies
            </Button>
            <Button variant="default" onClick={() => void leave()} disabled={record.isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={record.isPending || allocation.awaited}>
              Create Receipt
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  )
}

function ReceiptFields({ receipt, policyGiven }: { receipt: Receipt; policyGiven: boolean }) {
  const { form, today, allocation } = receipt
  const next = useQuery(nextReceiptNumberQuery())
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
        <TextInput
          label="Receipt Number"
          placeholder={next.data?.number}
          description="Leave empty to use the next number"
          inputWrapperOrder={["label", "input", "description", "error"]}
          {...form.getInputProps("number")}
        />
        <DayInput label="Receipt Date" required latest={today} {...form.getInputProps("receivedOn")} />
        <PolicySelect
          label="Policy"
          required
          autoFocus={finePointer && !policyGiven}
          statuses={["Active", "Suspended", "Terminated", "Expired"]}
          {...form.getInputProps("policyId")}
          onChange={(id) => {
            form.setFieldValue("policyId", id)
            allocation.forget()
          }}
        />
        <MoneyInput
          ref={allocation.amountField}
          label="Amount"
          required
          autoFocus={finePointer && policyGiven}
          {...form.getInputProps("amountCents")}
          onChange={(cents) => {
            form.setFieldValue("amountCents", cents)
            allocation.forget()
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
    </>
  )
}

function AllocationSection({ known, invoices, availableCents, value, choose }: Receipt["allocation"]) {
  if (!known) return null
  if (invoices.length === 0)
    return <Text c="dimmed">This policy has no open invoice: the receipt becomes unallocated credit.</Text>
  return <AllocationFields invoices={invoices} availableCents={availableCents} value={value} onChange={choose} />
}
