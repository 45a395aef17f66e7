import { Modal, Radio, Stack, Table, Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import { formatMonth } from "@milkwood/domain/kernel/calendar"
import { partNames } from "@milkwood/domain/reconciliation/explain"
import {
  type Resolution,
  resolutionDescriptions,
  resolutionNames,
} from "@milkwood/domain/reconciliation/reconciliation"
import type { ReconciliationDetail } from "@milkwood/domain/reconciliation/reconciliation.contract"
import { useQuery } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { useRef, useState } from "react"
import { api, newKey } from "../platform/api.ts"
import { InstantText } from "../ui/day.tsx"
import { DocumentNumber } from "../ui/document-number.tsx"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { MoneyText } from "../ui/money.tsx"
import { useCommand } from "../ui/use-command.ts"
import classes from "./reconciliation.module.css"

interface MonthDialogProps {
  groupId: string
  month: string
  onClose: () => void
}

export default function MonthDialog({ groupId, month, onClose }: MonthDialogProps) {
  const found = useQuery(api.reconciliation.detail.queryOptions({ input: { groupId, month } }))
  const { data } = found
  if (data && data.allowedActions.length > 0) return <ResolveDialog month={data} onClose={onClose} />
  return (
    <Modal opened onClose={onClose} size={640} title={data ? monthTitleOf(data) : "Premium reconciliation"}>
      {found.isError && !data && (
        <LoadFailed
          title="Failed to load the month"
          error={found.error}
          onRetry={found.refetch}
          busy={found.isFetching}
        />
      )}
      {data && <MonthExplanation month={data} />}
    </Modal>
  )
}

const monthTitleOf = ({ groupName, month }: ReconciliationDetail) =>
  // A non-breaking space, so that a long name does not split the month.
  `${groupName}, ${formatMonth(month).replace(" ", "\u00a0")}`

function ResolveDialog({ month, onClose }: { month: ReconciliationDetail; onClose: () => void }) {
  const [idempotencyKey] = useState(newKey)
  const form = useForm<{ kind: Resolution | ""; note: string }>({
    initialValues: { kind: "", note: "" },
    validate: { kind: requireText("Choose a resolution"), note: requireText("Enter a note") },
  })
  const resolve = useCommand(api.reconciliation.resolve, {
    success: "Month resolved",
    failure: "Failed to resolve the month",
  })
  const { groupId, month: first, differenceCents, allowedActions } = month
  const navigate = useNavigate()
  // Closing navigates to the table, a refund to its own page; only one may happen.
  const isRefunded = useRef(false)
  const refund = () => {
    // Preselects the policy if all credit belongs to one policy.
    const [policyId, ...others] = new Set(month.receipts.map((receipt) => receipt.policyId))
    const of = policyId !== undefined && others.length === 0 ? { policyId } : {}
    void navigate({ to: "/finance/premium-refunds", search: { new: true, ...of } })
  }
  return (
    <FormDialog
      opened
      onClose={() => (isRefunded.current ? refund() : onClose())}
      size={640}
      title={monthTitleOf(month)}
      submit="Resolve"
      form={form}
      save={async ({ kind, note }) => {
        await resolve.mutateAsync({
          ...{ groupId, month: first, differenceCents, note, idempotencyKey },
          kind: kind as Resolution,
        })
        isRefunded.current = kind === "refund"
      }}
    >
      <MonthExplanation month={month} />
      <Radio.Group label="Resolution" required {...form.getInputProps("kind")}>
        <Stack gap={8} mt={6}>
          {allowedActions.map((kind) => (
            <Radio key={kind} value={kind} label={resolutionNames[kind]} description={resolutionDescriptions[kind]} />
          ))}
        </Stack>
      </Radio.Group>
      <Textarea label="Note" required autosize minRows={2} maxLength={500} {...form.getInputProps("note")} />
    </FormDialog>
  )
}

function MonthExplanation({ month }: { month: ReconciliationDetail }) {
  const { expectedCents, receivedCents, differenceCents, parts, invoices, receipts, resolved } = month
  return (
    <Stack gap="sm">
      <Table aria-label="Difference" className={classes.sums}>
        <Table.Tbody>
          <SumLine label="Expected" cents={expectedCents} />
          <SumLine label="Received" cents={receivedCents} />
          {parts.map(({ kind, cents, words }) => (
            <SumLine key={`${kind} ${words} ${cents}`} label={partNames[kind]} words={words} cents={cents} part />
          ))}
          <SumLine label="Difference" cents={differenceCents} total />
        </Table.Tbody>
      </Table>
      <p className={classes.papers}>
        {invoices.map(({ id, number, openCents, remittanceId }) => (
          <span key={id}>
            <Link to="/invoices/$invoiceId" params={{ invoiceId: id }}>
              <DocumentNumber>{number}</DocumentNumber>
            </Link>
            {openCents > 0 && (
              <>
                , unpaid <MoneyText cents={openCents} />
              </>
            )}
            {" · "}
            {remittanceId ? (
              <Link to="/invoices/reconciliation/remittances/$remittanceId" params={{ remittanceId }}>
                Employer's list
              </Link>
            ) : (
              <Link to="/invoices/reconciliation/remittances" search={{ compare: id }}>
                Compare the employer's list
              </Link>
            )}
          </span>
        ))}
        {receipts.map(({ id, number, creditCents }) => (
          <span key={id}>
            <Link to="/finance/receipting/$receiptId" params={{ receiptId: id }}>
              <DocumentNumber>{number}</DocumentNumber>
            </Link>{" "}
            credit <MoneyText cents={creditCents} />
          </span>
        ))}
      </p>
      {resolved.map(({ id, kind, differenceCents: then, note, at, byName }) => (
        <p key={id} className={classes.words}>
          {resolutionNames[kind]} (<MoneyText cents={then} />
          ), <InstantText at={at} />
          {byName && `, ${byName}`}: {note}
        </p>
      ))}
    </Stack>
  )
}

interface SumLineProps {
  label: string
  words?: string
  cents: number
  part?: true
  total?: true
}

function SumLine({ label, words, cents, part, total }: SumLineProps) {
  return (
    <Table.Tr data-part={part} data-total={total}>
      <Table.Th scope="row">
        {label}
        {words && <span className={classes.words}>{words}</span>}
      </Table.Th>
      <Table.Td ta="right">
        <MoneyText cents={cents} />
      </Table.Td>
    </Table.Tr>
  )
}
