import { Table } from "@mantine/core"
import { formatMonth } from "@milkwood/domain/kernel/calendar"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { keepNumbersUnbroken } from "../ui/breakable.tsx"
import { DocumentNumber } from "../ui/document-number.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { MoneyText } from "../ui/money.tsx"
import { RecordLoading } from "../ui/record-page.tsx"
import { memberMonthsQuery } from "./billing.api.ts"
import classes from "./member-months.module.css"

export function MemberMonths({ memberId }: { memberId: string }) {
  const { data, error, refetch } = useQuery(memberMonthsQuery(memberId))
  if (error && !data) return <LoadFailed error={error} onRetry={() => void refetch()} />
  if (!data) return <RecordLoading words="Loading premiums..." />
  if (data.months.length === 0) return <p>Nothing is owed for this member yet.</p>
  const differ = data.months.some(({ differenceCents }) => differenceCents !== null)
  return (
    <Table verticalSpacing={6} fz="sm" className={classes.months}>
      <Table.Caption>Excl. VAT, before discount</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Month</Table.Th>
          <Table.Th ta="right">Owed</Table.Th>
          <Table.Th ta="right">Billed</Table.Th>
          <Table.Th>Billed on</Table.Th>
          {differ && <Table.Th ta="right">Difference</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {data.months.map(({ month, owedCents, rated, billedCents, documents, differenceCents, why }) => (
          <Table.Tr key={month}>
            <Table.Td className={classes.month}>{formatMonth(month)}</Table.Td>
            <Table.Td ta="right" data-label="Owed">
              {owedCents === null ? "No rate" : <MoneyText cents={owedCents} />}
            </Table.Td>
            <Table.Td ta="right" data-label="Billed">
              <MoneyText cents={billedCents} />
            </Table.Td>
            <Table.Td className={classes.documents}>
              {documents.map(({ kind, invoiceId, number }) => (
                <div key={number}>
                  {kind === "creditNote" && "Credit note "}
                  <Link to="/invoices/$invoiceId" params={{ invoiceId }}>
                    <DocumentNumber>{number}</DocumentNumber>
                  </Link>
                </div>
              ))}
              {rated && <div>{rated}</div>}
              {why.map((sentence) => (
                <div key={sentence}>{keepNumbersUnbroken(sentence)}</div>
              ))}
            </Table.Td>
            {differ && (
              <Table.Td ta="right" data-label={differenceCents ? "Difference" : undefined}>
                {differenceCents !== null && differenceCents !== 0 && <MoneyText cents={differenceCents} />}
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
