import { ActionIcon, Button, Group, Paper, Select, SimpleGrid, Stack, Text, Textarea, TextInput } from "@mantine/core"
import { useForm } from "@mantine/form"
import { type ReceiptMethod, receiptMethodNames, receiptMethods } from "@milkwood/domain/receipts/receipt"
import { IconPlus, IconTrash } from "@tabler/icons-react"
import { useRef, useState } from "react"
import { newKey } from "../platform/api.ts"
import { errorTextOf } from "../platform/errors.ts"
import { useKeys } from "../platform/keyboard.ts"
import { finePointer } from "../platform/pointer.ts"
import { PolicySelect } from "../policies/policy-select.tsx"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { focusFirstError, requireText, showRefusedFields, validatePositiveAmount } from "../ui/form.ts"
import { InlineError } from "../ui/inline-error.tsx"
import { MoneyText } from "../ui/money.tsx"
import { MoneyInput } from "../ui/money-input.tsx"
import { focusUnreadableField } from "../ui/unreadable.ts"
import { useUnsavedGuard } from "../ui/use-unsaved-guard.tsx"
import classes from "./deposit-form.module.css"
import { useRecordDeposit } from "./receipts.api.ts"
import { type ReceiptStart, useConfirmDiscard } from "./use-receipt-form.ts"

interface DepositPart {
  key: string
  policyId: string | null
  amountCents: number | null
}

const createPart = (policyId: string | null = null): DepositPart => ({ key: newKey(), policyId, amountCents: null })

export default function DepositForm({ policyId, onDone, onCancel, onOne }: ReceiptStart & { onOne: () => void }) {
  const { today } = useDisplay()
  const record = useRecordDeposit()
  const [idempotencyKey] = useState(newKey)
  const form = useForm<{
    receivedOn: string | null
    amountCents: number | null
    method: ReceiptMethod
    reference: string
    notes: string
    parts: DepositPart[]
  }>({
    initialValues: {
      receivedOn: today,
      amountCents: null,
      method: "bank_transfer",
      reference: "",
      notes: "",
      parts: [createPart(policyId), createPart()],
    },
    validate: {
      receivedOn: requireText("Enter the receipt date"),
      amountCents: validatePositiveAmount,
      parts: { policyId: requireText("Choose a policy"), amountCents: validatePositiveAmount },
    },
  })
  useUnsavedGuard(form.isDirty() && !record.isPending && !record.isSuccess)
  const mayLeave = useConfirmDiscard(form)
  const { parts } = form.values
  const left = (form.values.amountCents ?? 0) - parts.reduce((sum, part) => sum + (part.amountCents ?? 0), 0)
  const send = form.onSubmit(async (values) => {
    try {
      const { receipts } = await record.mutateAsync({
        ...values,
        idempotencyKey,
        receivedOn: values.receivedOn!,
        amountCents: values.amountCents!,
        parts: values.parts.map((part) => ({ policyId: part.policyId!, amountCents: part.amountCents! })),
      })
      onDone(receipts[0]!.id)
    } catch (error) {
      showRefusedFields(form, error)
    }
  })
  const place = useRef<HTMLFormElement>(null)
  const submit = () => record.isPending || place.current?.requestSubmit()
  useKeys({ "mod+Enter": submit, "mod+s": submit, Escape: form.isDirty() ? undefined : onCancel })
  const leaveTo = async (next: () => void) => {
    if (await mayLeave()) next()
  }
  return (
    <Paper component="section" withBorder p="md" mb="md" aria-label="New deposit">
      <form
        ref={place}
        onSubmit={(event) => {
          event.preventDefault()
          if (!focusUnreadableField(event.currentTarget)) send(event)
          focusFirstError(event.currentTarget)
        }}
        noValidate
      >
        <Stack gap="sm">
          <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} spacing="sm">
            <MoneyInput label="Amount" required autoFocus={finePointer} {...form.getInputProps("amountCents")} />
            <DayInput label="Receipt Date" required latest={today} {...form.getInputProps("receivedOn")} />
            <Select
              label="Payment Method"
              required
              allowDeselect={false}
              data={receiptMethods.map((value) => ({ value, label: receiptMethodNames[value] }))}
              {...form.getInputProps("method")}
            />
            <TextInput
              label="Reference Number"
              placeholder="Bank reference or cheque number"
              {...form.getInputProps("reference")}
            />
          </SimpleGrid>
          {parts.map((part, index) => (
            <div key={part.key} className={classes.part}>
              <PolicySelect
                label={`Policy ${index + 1}`}
                required
                statuses={["Active", "Suspended", "Terminated", "Expired"]}
                {...form.getInputProps(`parts.${index}.policyId`)}
                onChange={(id) => form.setFieldValue(`parts.${index}.policyId`, id)}
              />
              <MoneyInput
                label={`Amount of policy ${index + 1}`}
                required
                {...form.getInputProps(`parts.${index}.amountCents`)}
              />
              <ActionIcon
                aria-label={`Remove policy ${index + 1}`}
                size={36}
                disabled={parts.length <= 2}
                onClick={() => form.removeListItem("parts", index)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </div>
          ))}
          <Group justify="space-between">
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconPlus size={14} />}
              disabled={parts.length >= 100}
              onClick={() => form.insertListItem("parts", createPart())}
            >
              Add policy
            </Button>
            <Text c={left === 0 ? "dimmed" : "red"} role={left < 0 ? "alert" : undefined}>
              {left < 0 ? "Over by " : "Left to divide "}
              <MoneyText cents={Math.abs(left)} />
            </Text>
          </Group>
          <Text size="sm" c="dimmed">
            A receipt is recorded for each policy. It pays the policy's oldest invoices; the rest becomes its credit.
          </Text>
          <Textarea label="Notes" autosize minRows={2} {...form.getInputProps("notes")} />
          {record.error && <InlineError>{errorTextOf(record.error)}</InlineError>}
          <Group justify="flex-end" gap="xs">
            <Button variant="subtle" mr="auto" disabled={record.isPending} onClick={() => void leaveTo(onOne)}>
              For one policy
            </Button>
            <Button variant="default" onClick={() => void leaveTo(onCancel)} disabled={record.isPending}>
              Cancel
            </Button>
            <Button type="submit" loading={record.isPending}>
              Create Receipts
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  )
}
