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

const invoiceCountText = (count: number) => (count === 1 ? "1 invoice" : `${count} invoices`)
const creditNoteCountText = (count: number) => (count === 1 ? "1 credit note" : `${count} credit notes`)
const policyCountText = (count: number) => (count === 1 ? "1 policy" : `${count} policies`)

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
        title: `Email ${creditNoteCountText(counts.unmailed)}?`,
        body: "We email each one, with its PDF, to the main contact of its policy. The credit itself already applies.",
        confirm: "Email credit notes",
        action: () => send.mutateAsync({ runId, version, idempotencyKey }),
      })
    return confirm({
      title: `Send ${invoiceCountText(counts.unsent)}?`,
      body: (
        <>
          Each invoice is posted, and emailed to the main contact of its policy. You cannot change a sent invoice; you
          can correct it with a credit note.
          <NoBankAccount />
          {counts.unmailed > 0 && (
            <Checkbox
              mt="sm"
              c="var(--mantine-color-text)"
              defaultChecked
              label={`Also email the ${creditNoteCountText(counts.unmailed)} of this run`}
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
              body: "No invoices were created. You can preview the month again at any time.",
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
      {may("make") && <Button onClick={() => setMaking(true)}>Create invoices</Button>}
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
        <Button onClick={() => void askToSend()}>{counts.unsent > 0 ? "Send all" : "Email credit notes"}</Button>
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
    validate: { billsEarlier: (value) => (value ? null : "Confirm that the earlier months are billed too") },
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Bill ${policyCountText(run.counts.waiting)} for ${formatMonth(run.month)}`}
      words="Amounts are recalculated when the invoices are created. Net overcharges are credited straight away; the credit notes are emailed with the invoices."
      submit="Create invoices"
      form={form}
      save={({ outcome }) => make.mutateAsync({ runId: run.id, version: run.version, idempotencyKey, outcome })}
    >
      <Text size="sm" style={{ fontVariantNumeric: "tabular-nums" }}>
        {policyCountText(counts.waiting)}: <MoneyText cents={totals.netCents} /> excl. VAT,{" "}
        <MoneyText cents={totals.totalCents} /> incl. VAT.
      </Text>
      <RunEarlierMonths run={run}>
        To start in {formatMonth(month)} instead, close this dialog and choose it above the list.
        <Checkbox
          mt="xs"
          c="var(--mantine-color-text)"
          label="Bill the earlier months too"
          {...form.getInputProps("billsEarlier", { type: "checkbox" })}
        />
      </RunEarlierMonths>
      {!run.isMailed && (
        <InlineError tone="warning">
          No mail server is set up. Invoices count as sent, but their e-mails stay in the outbox.
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
          If Settings, General allows it, existing credit is applied automatically; otherwise it stays unallocated.
        </Text>
      )}
    </FormDialog>
  )
}
