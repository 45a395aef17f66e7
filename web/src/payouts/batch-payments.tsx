import { Button, Group, Table, Text } from "@mantine/core"
import type { BatchDetail, BatchPaymentRow } from "@milkwood/domain/payouts/batches.contract"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { api, newKey } from "../platform/api.ts"
import { DocumentNumber } from "../ui/document-number.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { MoneyText } from "../ui/money.tsx"
import { StatusBadge } from "../ui/status-badge.tsx"
import { useBusyAction } from "../ui/use-busy-action.ts"
import { useBatchCommands } from "./payouts.api.ts"
import classes from "./payouts.module.css"

export function BatchPayments({ batch }: { batch: BatchDetail }) {
  const [page, setPage] = useState(1)
  const payments = useQuery({
    ...api.payouts.batches.payments.queryOptions({ input: { batchId: batch.id, page } }),
    placeholderData: keepPreviousData,
  })
  if (payments.isError && !payments.data) {
    return <LoadFailed title="Failed to load the payments" error={payments.error} onRetry={payments.refetch} />
  }
  if (!payments.data) return <Text c="dimmed">Loading the payments...</Text>
  const { rows, total, pageSize } = payments.data
  if (total === 0) return <Text c="dimmed">This batch has no payments.</Text>
  const pages = Math.ceil(total / pageSize)
  return (
    <>
      <div className={classes.table}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Payment</Table.Th>
              <Table.Th>Payee</Table.Th>
              <Table.Th ta="right">Amount</Table.Th>
              <Table.Th>Status</Table.Th>
              {batch.allowedActions.includes("takeOut") && <Table.Td />}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <PaymentRow key={`${row.payoutId} ${row.endToEndId}`} batch={batch} row={row} />
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {pages > 1 && (
        <Group justify="space-between" mt="sm">
          <Button variant="default" disabled={page === 1} onClick={() => setPage(page - 1)}>
            Previous
          </Button>
          <Text size="sm">
            Page {page} of {pages}
          </Text>
          <Button variant="default" disabled={page === pages} onClick={() => setPage(page + 1)}>
            Next
          </Button>
        </Group>
      )}
    </>
  )
}

const releaseBlockerOf = (row: BatchPaymentRow) =>
  row.payeeWaits
    ? "Payee changed: not confirmed, or still in its waiting period"
    : row.isOwn
      ? "Yours: someone else must release it"
      : null

function PaymentRow({ batch, row }: { batch: BatchDetail; row: BatchPaymentRow }) {
  const { takeOut } = useBatchCommands()
  const { busy, run } = useBusyAction()
  const words = releaseBlockerOf(row) ?? row.statusReason
  return (
    <Table.Tr>
      <Table.Td>
        <Link to="/finance/claims-payments/$payoutId" params={{ payoutId: row.payoutId }}>
          <DocumentNumber>{row.number}</DocumentNumber>
        </Link>
        <Text size="xs" c="dimmed">
          {row.subjectLabel}
          {row.endToEndId && row.endToEndId !== row.number && ` · ${row.endToEndId}`}
        </Text>
      </Table.Td>
      <Table.Td>
        {row.payeeName}
        <Text size="xs" c="dimmed">
          {row.payeeBank}, {row.payeeAccountNumber}
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        <MoneyText cents={row.amountCents} />
      </Table.Td>
      <Table.Td>
        <StatusBadge status={row.status} />
        {words && (
          <Text size="xs" c="dimmed">
            {words}
          </Text>
        )}
      </Table.Td>
      {batch.allowedActions.includes("takeOut") && (
        <Table.Td ta="right">
          <Button
            variant="default"
            size="xs"
            loading={busy}
            onClick={() =>
              void run(() =>
                takeOut.mutateAsync({
                  batchId: batch.id,
                  version: batch.version,
                  idempotencyKey: newKey(),
                  payoutIds: [row.payoutId],
                }),
              )
            }
          >
            Remove from batch<span className="visually-hidden"> {row.number}</span>
          </Button>
        </Table.Td>
      )}
    </Table.Tr>
  )
}
