import { Button, Table, Text, Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import { useDisclosure } from "@mantine/hooks"
import { receiptMethodNames } from "@milkwood/domain/receipts/receipt"
import type { ReceiptDetail } from "@milkwood/domain/receipts/receipts.contract"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { newKey } from "../../platform/api.ts"
import { useKeys } from "../../platform/keyboard.ts"
import { useSession } from "../../platform/session.ts"
import { inOnePiece } from "../../ui/breakable.tsx"
import { DayText } from "../../ui/day.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { EmptyState } from "../../ui/empty-state.tsx"
import { required } from "../../ui/form.ts"
import { FormDialog } from "../../ui/form-dialog.tsx"
import { LoadedRecord } from "../../ui/loaded-record.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { Facts, RecordPage, SidePanel } from "../../ui/record-page.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { Timeline } from "../../ui/timeline.tsx"
import { AllocationFields, allocationsOf, suggestedAllocation } from "../allocation-fields.tsx"
import { openInvoicesQuery, receiptQuery, useAllocateReceipt, useReverseReceipt } from "../receipts.api.ts"

export const Route = createFileRoute("/_app/finance/receipting/$receiptId")({
  staticData: { permission: "receipts.read" },
  component: ReceiptPage,
})

const back = { to: "/finance/receipting", label: "Back to Receipting" } as const

/** One receipt: what came in, what it was set against, and what may be done with it. */
function ReceiptPage() {
  const { receiptId } = Route.useParams()
  return (
    <LoadedRecord
      record={useQuery(receiptQuery(receiptId))}
      title="Receipt"
      back={back}
      loading="Loading the receipt..."
      failed="Failed to load the receipt"
      notFound="Receipt not found"
    >
      {(receipt) => <Receipt key={receiptId} receipt={receipt} />}
    </LoadedRecord>
  )
}

function Receipt({ receipt }: { receipt: ReceiptDetail }) {
  const [allocating, allocation] = useDisclosure()
  const [reversing, reversal] = useDisclosure()
  const may = (action: ReceiptDetail["allowedActions"][number]) => receipt.allowedActions.includes(action)
  // A button that could only say that nothing is owed is not shown.
  const open = useQuery({ ...openInvoicesQuery(receipt.policyId), enabled: may("allocate") })
  const owing = (open.data?.invoices.length ?? 0) > 0
  const { can } = useSession()
  const navigate = useNavigate()
  // The next receipt of a pile.
  useKeys({ n: () => void navigate({ to: back.to, search: { new: true } }) }, can("receipts.write"))
  const left = receipt.status === "Reversed" ? 0 : receipt.amountCents - receipt.allocatedCents
  return (
    <>
      <RecordPage
        list="receipts"
        id={receipt.id}
        back={back}
        number={receipt.number}
        title={receipt.groupName}
        name={receipt.number}
        badge={<StatusBadge status={receipt.status} size="md" />}
        amount={<MoneyText cents={receipt.amountCents} />}
        subtitle={
          left > 0 && (
            <>
              <MoneyText cents={left} /> not allocated
            </>
          )
        }
        primary={may("allocate") && owing && <Button onClick={allocation.open}>Allocate receipt</Button>}
        actions={may("reverse") ? [{ label: "Reverse receipt", danger: true, onClick: reversal.open }] : []}
        side={
          <>
            <SidePanel title="Receipt">
              <Facts
                rows={[
                  ["Allocated", <MoneyText key="allocated" cents={receipt.allocatedCents} />],
                  ["Unallocated credit", <MoneyText key="left" cents={left} />],
                  ["Date", <DayText key="date" day={receipt.receivedOn} />],
                  ["Payment method", receiptMethodNames[receipt.method]],
                  ["Reference", receipt.reference || null],
                  [
                    "Policy",
                    <Link key="policy" to="/policies/$policyId" params={{ policyId: receipt.policyId }}>
                      <DocumentNumber>{receipt.policyNumber}</DocumentNumber>
                    </Link>,
                  ],
                  ["Recorded by", receipt.createdByName],
                  ["Reversed", receipt.reversedOn && <DayText key="reversed" day={receipt.reversedOn} />],
                  ["Reason", receipt.reverseReason],
                  ["Notes", receipt.notes || null],
                ]}
              />
            </SidePanel>
            <SidePanel title="Activity">
              <Timeline entries={receipt.timeline} field={(name) => fields[name]} />
            </SidePanel>
          </>
        }
      >
        <SidePanel title="Allocations">
          <Allocations receipt={receipt} />
        </SidePanel>
      </RecordPage>
      {allocating && <AllocateDialog receipt={receipt} leftCents={left} onClose={allocation.close} />}
      {reversing && <ReverseDialog receipt={receipt} onClose={reversal.close} />}
    </>
  )
}

const fields: Record<string, { label?: string; show?: (value: unknown) => React.ReactNode }> = {
  amountCents: { label: "Amount", show: (value) => <MoneyText cents={Number(value)} /> },
  method: {
    label: "Payment method",
    show: (value) => receiptMethodNames[value as keyof typeof receiptMethodNames] ?? String(value),
  },
  receivedOn: { label: "Date", show: (value) => <DayText day={String(value)} /> },
}

function Allocations({ receipt }: { receipt: ReceiptDetail }) {
  if (receipt.allocations.length === 0) {
    return <EmptyState title="Not allocated">All of this receipt is unallocated credit.</EmptyState>
  }
  const released = receipt.allocations.some((row) => row.releasedOn !== null)
  return (
    <Table.ScrollContainer minWidth={260}>
      <Table aria-label="Allocations" horizontalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Invoice</Table.Th>
            <Table.Th ta="right">Amount</Table.Th>
            <Table.Th>Allocated on</Table.Th>
            {released && <Table.Th visibleFrom="sm">Released</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {receipt.allocations.map((row) => (
            <Table.Tr key={row.id} c={row.releasedOn ? "dimmed" : undefined}>
              <Table.Td>
                <Link to="/invoices/$invoiceId" params={{ invoiceId: row.invoiceId }}>
                  <DocumentNumber>{row.invoiceNumber}</DocumentNumber>
                </Link>
                {row.releasedOn && (
                  <Text hiddenFrom="sm" size="xs">
                    Released <DayText day={row.releasedOn} />: {inOnePiece(row.releaseReason)}
                  </Text>
                )}
              </Table.Td>
              <Table.Td ta="right">
                {row.releasedOn ? (
                  <s>
                    <MoneyText cents={row.amountCents} />
                  </s>
                ) : (
                  <MoneyText cents={row.amountCents} />
                )}
              </Table.Td>
              <Table.Td>
                <DayText day={row.allocatedOn} />
              </Table.Td>
              {released && (
                <Table.Td visibleFrom="sm">
                  {row.releasedOn && (
                    <>
                      <DayText day={row.releasedOn} /> · {inOnePiece(row.releaseReason)}
                    </>
                  )}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
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
