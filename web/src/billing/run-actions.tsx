import { Button, Checkbox, Radio, Stack, Text } from "@mantine/core"
import { useForm } from "@mantine/form"
import {
  type BillingRunAction,
  type RunOutcome,
  runOutcomeNames,
  runOutcomes,
} from "@milkwood/domain/billing/billing-run"
import type { BillingRunDetail } from "@milkwood/domain/billing/billing-runs.contract"
import { formatMonth } from "@milkwood/domain/kernel/calendar"
import { useState } from "react"
import { newKey } from "../platform/api.ts"
import CreditToUse from "../receipts/credit-to-use.tsx"
import { useConfirm } from "../ui/confirm.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import { MoneyText } from "../ui/money.tsx"
import { NoBankAccount } from "./no-bank-account.tsx"
import { useRunCommands } from "./run.api.ts"
import { RunEarlierMonths } from "./run-earlier-months.tsx"

const invoices = (count: number) => (count === 1 ? "1 invoice" : `${count} invoices`)
const notes = (count: number) => (count === 1 ? "1 credit note" : `${count} credit notes`)
const policies = (count: number) => (count === 1 ? "1 policy" : `${count} policies`)

export function RunActions({ run }: { run: BillingRunDetail }) {
  const { id: runId, version, counts } = run
  const { preview, continue: goOn, send, cancel } = useRunCommands()
  const confirm = useConfirm()
  const [making, setMaking] = useState(false)
  const may = (action: BillingRunAction) => run.allowedActions.includes(action)
  const isPreview = run.status === "previewing" || run.status === "previewed"
  const askToSend = () => {
    const idempotencyKey = newKey()
    const said: { useCredit?: boolean; mailCreditNotes?: boolean } = {}
    if (counts.unsent === 0)
      return confirm({
        title: `Mail ${notes(counts.unmailed)}?`,
        body: "Each goes to its policy's main contact, with its PDF. It counts since it was made.",
        confirm: "Mail credit notes",
        action: () => send.mutateAsync({ runId, version, idempotencyKey }),
      })
    return confirm({
      title: `Send ${invoices(counts.unsent)}?`,
      body: (
        <>
          Each is posted, and mailed to its policy's main contact. What is sent is final: only a credit note corrects
          it.
          <NoBankAccount />
          {counts.unmailed > 0 && (
            <Checkbox
              mt="sm"
              c="var(--mantine-color-text)"
              defaultChecked
              label={`Mail the ${notes(counts.unmailed)} of this run too`}
              onChange={(event) => {
                said.mailCreditNotes = event.currentTarget.checked
              }}
            />
          )}
          <CreditToUse
            of={{ runId }}
            onChoose={(useCredit) => {
              said.useCredit = useCredit
            }}
          />
        </>
      ),
      confirm: "Send all",
      action: () => send.mutateAsync({ runId, version, idempotencyKey, ...said }),
    })
  }
  return (
    <>
      {may("cancel") && (
        <Button
          variant="default"
          onClick={() =>
            void confirm({
              title: `Cancel ${run.number}?`,
              body: "Nothing was made. The month can be previewed again at any time.",
              confirm: "Cancel run",
              cancel: "Keep run",
              action: () => cancel.mutateAsync({ runId, version }),
            })
          }
        >
          Cancel run
        </Button>
      )}
      {may("preview") && isPreview && (
        <Button variant="default" loading={preview.isPending} onClick={() => preview.mutate({ runId, version })}>
          Preview again
        </Button>
      )}
      {may("make") && <Button onClick={() => setMaking(true)}>Make invoices</Button>}
      {may("continue") && (
        <Button
          variant="default"
          loading={goOn.isPending}
          onClick={() => goOn.mutate({ runId, version, idempotencyKey: newKey() })}
        >
          Continue
        </Button>
      )}
      {may("send") && (
        <Button onClick={() => void askToSend()}>{counts.unsent > 0 ? "Send all" : "Mail credit notes"}</Button>
      )}
      {making && <MakeDialog run={run} onClose={() => setMaking(false)} />}
    </>
  )
}

function MakeDialog({ run, onClose }: { run: BillingRunDetail; onClose: () => void }) {
  const { make } = useRunCommands()
  const [idempotencyKey] = useState(newKey)
  const { counts, earlier, month, totals } = run
  const form = useForm<{ outcome: RunOutcome; billsEarlier: boolean }>({
    initialValues: { outcome: "pending", billsEarlier: earlier.policies === 0 },
    validate: { billsEarlier: (value) => (value ? null : "Say whether the earlier months are billed") },
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Bill ${policies(run.counts.waiting)} for ${formatMonth(run.month)}`}
      words="What is owed is worked out again for each policy as it is billed. What a policy was billed too much in all is credited on its sent invoices at once; the credit notes are mailed with the invoices."
      submit="Make invoices"
      form={form}
      save={({ outcome }) => make.mutateAsync({ runId: run.id, version: run.version, idempotencyKey, outcome })}
    >
      <Text size="sm" style={{ fontVariantNumeric: "tabular-nums" }}>
        {policies(counts.waiting)}: <MoneyText cents={totals.netCents} /> without VAT,{" "}
        <MoneyText cents={totals.totalCents} /> with VAT.
      </Text>
      <RunEarlierMonths run={run}>
        To start in {formatMonth(month)} instead, close this and choose it above the list.
        <Checkbox
          mt="xs"
          c="var(--mantine-color-text)"
          label="Bill the earlier months too"
          {...form.getInputProps("billsEarlier", { type: "checkbox" })}
        />
      </RunEarlierMonths>
      {!run.isMailed && (
        <InlineError tone="warning">
          There is no mail server. Invoices that are sent count, but their mails stay in the outbox.
        </InlineError>
      )}
      <Radio.Group label="What to do with the invoices" {...form.getInputProps("outcome")}>
        <Stack gap={6} mt={4}>
          {runOutcomes.map((outcome) => (
            <Radio key={outcome} value={outcome} label={runOutcomeNames[outcome]} />
          ))}
        </Stack>
      </Radio.Group>
      {form.values.outcome === "sent" && <NoBankAccount />}
      {form.values.outcome === "sent" && (
        <Text size="sm" c="dimmed">
          Credit of the policies is used where Settings, General says so; otherwise it stays unallocated.
        </Text>
      )}
    </FormDialog>
  )
}
