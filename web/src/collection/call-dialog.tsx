import { Button, Divider, Group, Radio, Stack, Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import { type CallOutcome, callOutcomeNames, callOutcomes, owedCents } from "@milkwood/domain/collection/collection"
import type { PolicyContacts } from "@milkwood/domain/collection/collection.contract"
import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Cents } from "@milkwood/domain/kernel/money"
import { IconPhone } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { newKey } from "../platform/api.ts"
import { DayText } from "../ui/day.tsx"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { MoneyText } from "../ui/money.tsx"
import { MoneyInput } from "../ui/money-input.tsx"
import { contactsQuery, useLogCall } from "./collection.api.ts"
import classes from "./collection.module.css"
import { ContactList } from "./contact-list.tsx"

interface CallValues {
  outcome: CallOutcome | ""
  promisedCents: Cents | null
  promisedOn: Day | null
  note: string
}

interface CallDialogProps {
  policy: { policyId: string; policyNumber: string; groupName: string }
  onClose: () => void
}

export function CallDialog({ policy, onClose }: CallDialogProps) {
  const { policyId, policyNumber, groupName } = policy
  const { data } = useQuery(contactsQuery(policyId))
  const { today } = useDisplay()
  const [idempotencyKey] = useState(newKey)
  const form = useForm<CallValues>({
    initialValues: { outcome: "", promisedCents: null, promisedOn: null, note: "" },
    validate: {
      outcome: (outcome) => (outcome === "" ? "Choose the outcome of the call" : null),
      promisedCents: (amount, { outcome }) =>
        outcome === "promise" && (amount === null || amount <= 0) ? "Enter the promised amount" : null,
      promisedOn: (on, { outcome }) => {
        if (outcome !== "promise") return null
        if (on === null) return "Enter the promised payment date"
        return on < today ? "The promised payment date cannot be in the past" : null
      },
      note: (note, { outcome }) =>
        outcome === "dispute" && note.trim() === "" ? "Enter the reason for the dispute" : null,
    },
  })
  const log = useLogCall()
  const isPromise = form.values.outcome === "promise"
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Call ${groupName}`}
      words={policyNumber}
      submit="Log call"
      size={560}
      form={form}
      save={({ outcome, promisedCents, promisedOn, note }) =>
        log.mutateAsync({
          policyId,
          idempotencyKey,
          call: {
            outcome: outcome as CallOutcome,
            promisedCents: isPromise ? promisedCents : null,
            promisedOn: isPromise ? promisedOn : null,
            note,
          },
        })
      }
    >
      {data && <ContactDetails policy={data} />}
      <Radio.Group label="Outcome" required {...form.getInputProps("outcome")}>
        <Group gap="md" mt={4}>
          {callOutcomes.map((outcome) => (
            <Radio key={outcome} value={outcome} label={callOutcomeNames[outcome]} />
          ))}
        </Group>
      </Radio.Group>
      {isPromise && (
        <Group grow align="flex-start">
          <MoneyInput label="Amount promised" required {...form.getInputProps("promisedCents")} />
          <DayInput label="Payment date" required earliest={today} {...form.getInputProps("promisedOn")} />
        </Group>
      )}
      <Textarea
        label={form.values.outcome === "dispute" ? "Reason for the dispute" : "Note"}
        required={form.values.outcome === "dispute"}
        autosize
        minRows={2}
        maxLength={2000}
        {...form.getInputProps("note")}
      />
      {data && data.contacts.length > 0 && (
        <>
          <Divider label="Contact history" labelPosition="left" />
          <ContactList contacts={data.contacts.slice(0, 5)} />
        </>
      )}
    </FormDialog>
  )
}

function ContactDetails({ policy }: { policy: PolicyContacts }) {
  const { contactName, phone, overdueCents, oldestDueOn, creditCents } = policy
  return (
    <div className={classes.reach}>
      <Stack gap={0}>
        <span>
          Owes <MoneyText cents={owedCents(policy)} />
          {overdueCents > 0 && (
            <>
              {" "}
              (<MoneyText cents={overdueCents} /> overdue since <DayText day={oldestDueOn} />)
            </>
          )}
        </span>
        {creditCents > 0 && (
          <span className={classes.quiet}>
            after <MoneyText cents={creditCents} /> of unallocated credit
          </span>
        )}
        <span className={classes.quiet}>{contactName || "No contact name"}</span>
      </Stack>
      {phone === "" ? (
        <span className={classes.quiet}>No phone number on the policy</span>
      ) : (
        <Button component="a" href={telHref(phone)} leftSection={<IconPhone size={16} aria-hidden />} variant="default">
          {phone}
        </Button>
      )}
    </div>
  )
}

export const telHref = (phone: string): string => `tel:${phone.replace(/[^\d+]/g, "")}`
