import { Button, Stack, Table, Text } from "@mantine/core"
import { receiptMethodNames, remainingCreditOf } from "@milkwood/domain/receipts/receipt"
import type { DepositDetail, ReceiptDetail } from "@milkwood/domain/receipts/receipts.contract"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, useNavigate } from "@tanstack/react-router"
import { DeliveryPanel } from "../../billing/delivery-panel.tsx"
import { api } from "../../platform/api.ts"
import { useKeys } from "../../platform/keyboard.ts"
import { useSession } from "../../platform/session.ts"
import { keepNumbersUnbroken } from "../../ui/breakable.tsx"
import { DayText } from "../../ui/day.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { EmptyState } from "../../ui/empty-state.tsx"
import { LoadedRecord } from "../../ui/loaded-record.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { headerStepsOf } from "../../ui/record-actions.tsx"
import { FactList, RecordPage, SidePanel } from "../../ui/record-page.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { Timeline } from "../../ui/timeline.tsx"
import { useBusyAction } from "../../ui/use-busy-action.ts"
import { useReceiptActions } from "../receipt-actions.tsx"
import { openInvoicesQuery, receiptQuery, useAllocationCommands } from "../receipts.api.ts"

export const Route = createFileRoute("/_app/finance/receipting/$receiptId")({
  staticData: { permission: "receipts.read" },
  component: ReceiptPage,
})

const back = { to: "/finance/receipting", label: "Back to Receipting" } as const

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
  const { of, oldestFirst, dialogs } = useReceiptActions()
  const steps = of(receipt)
  // Used to hide the button if no invoice is open.
  const open = useQuery({
    ...openInvoicesQuery(receipt.policyId),
    enabled: receipt.allowedActions.includes("allocate"),
  })
  const owing = (open.data?.invoices.length ?? 0) > 0
  const { can } = useSession()
  const navigate = useNavigate()
  useKeys({ n: () => void navigate({ to: back.to, search: { new: true } }) }, can("receipts.write"))
  const left = receipt.status === "Reversed" ? 0 : remainingCreditOf(receipt)
  const { allocate: _none, ...withoutAllocating } = steps
  const head = headerStepsOf(receipt, owing ? steps : withoutAllocating, ["allocate"])
  return (
    <>
      <RecordPage
        list="receipts"
        id={receipt.id}
        back={back}
        number={receipt.number}
        title={receipt.groupName}
        badge={<StatusBadge status={receipt.status} size="md" />}
        amount={<MoneyText cents={receipt.amountCents} />}
        subtitle={
          left > 0 && (
            <>
              <MoneyText cents={left} /> not allocated
            </>
          )
        }
        {...head}
        actions={[...(owing ? oldestFirst(receipt) : []), ...head.actions]}
        side={
          <>
            <SidePanel title="Receipt">
              <FactList
                rows={[
                  ["Allocated", <MoneyText key="allocated" cents={receipt.allocatedCents} />],
                  ["Refunded", receipt.refundedCents > 0 && <MoneyText key="refunded" cents={receipt.refundedCents} />],
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
            {receipt.refunds.length > 0 && <Refunds receipt={receipt} />}
            {receipt.deposit && <Deposit deposit={receipt.deposit} receiptId={receipt.id} />}
            <DeliveryPanel mails={receipt.mails} none="Not emailed from Milkwood." />
            <SidePanel title="Activity">
              <Timeline
                key={receipt.id}
                entries={receipt.timeline}
                field={(name) => historyFields[name]}
                older={(before) => api.receipts.activity.call({ receiptId: receipt.id, before })}
              />
            </SidePanel>
          </>
        }
      >
        <SidePanel title="Allocations">
          <Allocations receipt={receipt} />
        </SidePanel>
      </RecordPage>
      {dialogs}
    </>
  )
}

const historyFields: Record<string, { label?: string; show?: (value: unknown) => React.ReactNode }> = {
  amountCents: { label: "Amount", show: (value) => <MoneyText cents={Number(value)} /> },
  method: {
    label: "Payment method",
    show: (value) => receiptMethodNames[value as keyof typeof receiptMethodNames] ?? String(value),
  },
  receivedOn: { label: "Date", show: (value) => <DayText day={String(value)} /> },
  policy: { label: "Policy" },
}

function Refunds({ receipt }: { receipt: ReceiptDetail }) {
  return (
    <SidePanel title="Refunds">
      <FactList
        rows={receipt.refunds.map(({ refundId, refundNumber, status, amountCents }) => [
          refundNumber,
          <Stack key={refundId} gap={2} align="flex-end">
            <Link to="/finance/premium-refunds/$refundId" params={{ refundId }}>
              <MoneyText cents={amountCents} />
            </Link>
            <StatusBadge status={status} />
          </Stack>,
        ])}
      />
    </SidePanel>
  )
}

function Deposit({ deposit, receiptId }: { deposit: DepositDetail; receiptId: string }) {
  return (
    <SidePanel title={`Deposit ${deposit.number}`}>
      <Text size="sm" mb="xs">
        One payment of <MoneyText cents={deposit.amountCents} /> for {deposit.receipts.length} policies.
        {deposit.receiptedCents < deposit.amountCents && (
          <>
            {" "}
            <MoneyText cents={deposit.amountCents - deposit.receiptedCents} /> was reversed.
          </>
        )}
      </Text>
      <FactList
        rows={deposit.receipts.map(({ id, number, groupName, amountCents, status }) => [
          groupName,
          <span key={id}>
            {id === receiptId ? (
              <DocumentNumber>{number}</DocumentNumber>
            ) : (
              <Link to="/finance/receipting/$receiptId" params={{ receiptId: id }}>
                <DocumentNumber>{number}</DocumentNumber>
              </Link>
            )}{" "}
            {status === "Reversed" ? (
              <s>
                <MoneyText cents={amountCents} />
              </s>
            ) : (
              <MoneyText cents={amountCents} />
            )}
          </span>,
        ])}
      />
    </SidePanel>
  )
}

function Allocations({ receipt }: { receipt: ReceiptDetail }) {
  if (receipt.allocations.length === 0) {
    return (
      <EmptyState title="Not allocated">
        {receipt.refundedCents > 0
          ? "None of this receipt pays an invoice."
          : "All of this receipt is unallocated credit."}
      </EmptyState>
    )
  }
  const released = receipt.allocations.some((row) => row.releasedOn !== null)
  const mayTakeBack = receipt.allowedActions.includes("unallocate")
  return (
    <Table.ScrollContainer minWidth={260}>
      <Table aria-label="Allocations">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Invoice</Table.Th>
            <Table.Th visibleFrom="sm">Allocated on</Table.Th>
            {released && <Table.Th visibleFrom="sm">Released</Table.Th>}
            <Table.Th ta="right">Amount</Table.Th>
            {mayTakeBack && <Table.Td />}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {receipt.allocations.map((row) => (
            <Table.Tr key={row.id} c={row.releasedOn ? "dimmed" : undefined}>
              <Table.Td>
                <Link to="/invoices/$invoiceId" params={{ invoiceId: row.invoiceId }}>
                  <DocumentNumber>{row.invoiceNumber}</DocumentNumber>
                </Link>
                <Text hiddenFrom="sm" size="xs">
                  Allocated <DayText day={row.allocatedOn} />
                </Text>
                {row.releasedOn && (
                  <Text hiddenFrom="sm" size="xs">
                    Released <DayText day={row.releasedOn} />: {keepNumbersUnbroken(row.releaseReason)}
                  </Text>
                )}
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <DayText day={row.allocatedOn} />
              </Table.Td>
              {released && (
                <Table.Td visibleFrom="sm">
                  {row.releasedOn && (
                    <>
                      <DayText day={row.releasedOn} /> · {keepNumbersUnbroken(row.releaseReason)}
                    </>
                  )}
                </Table.Td>
              )}
              <Table.Td ta="right">
                {row.releasedOn ? (
                  <s>
                    <MoneyText cents={row.amountCents} />
                  </s>
                ) : (
                  <MoneyText cents={row.amountCents} />
                )}
              </Table.Td>
              {mayTakeBack && (
                <Table.Td ta="right">
                  {!row.releasedOn && <UnallocateButton receipt={receipt} allocation={row} />}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function UnallocateButton(props: { receipt: ReceiptDetail; allocation: ReceiptDetail["allocations"][number] }) {
  const { receipt, allocation } = props
  const { takeBack } = useAllocationCommands()
  const { busy, run } = useBusyAction()
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      loading={busy}
      aria-label={`Undo allocation: ${allocation.invoiceNumber}`}
      onClick={() => void run(() => takeBack(receipt, [allocation]))}
    >
      Undo allocation
    </Button>
  )
}
