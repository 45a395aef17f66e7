import { Button, Group, Table } from "@mantine/core"
import type { Statement } from "@milkwood/domain/collection/collection.contract"
import { type StatementKind, statementKindNames } from "@milkwood/domain/collection/statement"
import type { Day } from "@milkwood/domain/kernel/calendar"
import { IconDownload } from "@tabler/icons-react"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { DayText } from "../../ui/day.tsx"
import { DayInput } from "../../ui/day-input.tsx"
import { addressParameters, dayReader } from "../../ui/list-address.ts"
import { LoadedRecord } from "../../ui/loaded-record.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { SummaryCards } from "../../ui/summary-cards.tsx"
import { statementHref, statementQuery } from "../collection.api.ts"
import classes from "../collection.module.css"

export const Route = createFileRoute("/_app/policies/$policyId/statement")({
  ...addressParameters({ from: dayReader, to: dayReader }),
  staticData: { permission: "statements.read" },
  component: StatementPage,
})

function StatementPage() {
  const { policyId } = Route.useParams()
  const { from, to } = Route.useSearch()
  const statement = useQuery({ ...statementQuery({ policyId, from, to }), placeholderData: keepPreviousData })
  return (
    <LoadedRecord
      record={statement}
      title="Statement of account"
      back={{ ...linkOptions({ to: "/policies" }), label: "Back to Policies" }}
      loading="Loading statement..."
      failed="Failed to load the statement"
      notFound="Statement not found. A statement starts when the policy is activated."
    >
      {(loaded) => <Account statement={loaded} />}
    </LoadedRecord>
  )
}

function Account({ statement }: { statement: Statement }) {
  const { policyId, policyNumber, groupName, from, to } = statement
  const navigate = Route.useNavigate()
  const search = Route.useSearch()
  const go = (days: { from?: Day; to?: Day }) => void navigate({ search: { ...search, ...days }, replace: true })
  const inFavour = statement.closingCents < 0
  return (
    <>
      <PageHeader
        title="Statement of account"
        subtitle={`${groupName}, ${policyNumber}`}
        back={{ ...linkOptions({ to: "/policies/$policyId", params: { policyId } }), label: `Back to ${policyNumber}` }}
        actions={
          <Group gap="xs" align="flex-end">
            <DayInput
              label="From"
              size="xs"
              w={150}
              latest={to}
              value={from}
              onChange={(day) => day && go({ from: day })}
            />
            <DayInput
              label="To"
              size="xs"
              w={150}
              earliest={from}
              value={to}
              onChange={(day) => day && go({ to: day })}
            />
            {(["pdf", "csv"] as const).map((ending) => (
              <Button
                key={ending}
                component="a"
                href={statementHref(policyId, ending, { from, to })}
                download
                size="xs"
                variant="default"
                leftSection={<IconDownload size={14} aria-hidden />}
              >
                {ending.toUpperCase()}
              </Button>
            ))}
          </Group>
        }
      />
      <SummaryCards
        cards={[
          { label: "Opening balance", value: <MoneyText cents={statement.openingCents} /> },
          { label: "Open invoices", value: <MoneyText cents={statement.debtorsCents} /> },
          { label: "Unallocated credit", value: <MoneyText cents={statement.creditCents} /> },
          {
            label: inFavour ? "Closing balance, in the policy's favour" : "Closing balance",
            value: <MoneyText cents={statement.closingCents} />,
          },
        ]}
      />
      <section className={classes.tableScroll} aria-label="Entries">
        <Table className={classes.statement} aria-label="Statement of account">
          <Table.Thead>
            <Table.Tr>
              <Table.Th className={classes.wide}>Date</Table.Th>
              <Table.Th className={classes.wide}>Type</Table.Th>
              <Table.Th>Description</Table.Th>
              <Table.Th className={`${classes.right} ${classes.wide}`}>Charges</Table.Th>
              <Table.Th className={`${classes.right} ${classes.wide}`}>Payments and credits</Table.Th>
              <Table.Th className={`${classes.right} ${classes.narrow}`}>Amount</Table.Th>
              <Table.Th className={classes.right}>Balance</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <Row on={from} words="Opening balance" balanceCents={statement.openingCents} strong />
            {statement.lines.map((line) => (
              <Row key={line.entryId} {...line} words={<LineDescription line={line} />} />
            ))}
            <Row on={to} words="Closing balance" balanceCents={statement.closingCents} strong />
          </Table.Tbody>
        </Table>
      </section>
    </>
  )
}

interface RowProps {
  on: Day
  kind?: StatementKind
  words: ReactNode
  chargeCents?: number
  paymentCents?: number
  balanceCents: number
  strong?: boolean
}

/** Phones: the day is above the text, and charges and payments share a column. */
function Row({ on, kind, words, chargeCents = 0, paymentCents = 0, balanceCents, strong }: RowProps) {
  const amount = chargeCents - paymentCents
  return (
    <Table.Tr fw={strong ? 600 : undefined}>
      <Table.Td className={classes.wide}>
        <DayText day={on} />
      </Table.Td>
      <Table.Td className={classes.wide}>{kind && statementKindNames[kind]}</Table.Td>
      <Table.Td>
        <span className={`${classes.narrow} ${classes.quiet}`}>
          <DayText day={on} />
        </span>
        {words}
      </Table.Td>
      <Table.Td className={`${classes.right} ${classes.wide}`}>
        {chargeCents !== 0 && <MoneyText cents={chargeCents} />}
      </Table.Td>
      <Table.Td className={`${classes.right} ${classes.wide}`}>
        {paymentCents !== 0 && <MoneyText cents={paymentCents} />}
      </Table.Td>
      <Table.Td className={`${classes.right} ${classes.narrow}`}>
        {amount !== 0 && <MoneyText cents={amount} />}
      </Table.Td>
      <Table.Td className={classes.right}>
        <MoneyText cents={balanceCents} />
      </Table.Td>
    </Table.Tr>
  )
}

function LineDescription({ line: { description, record } }: { line: Statement["lines"][number] }) {
  if (record?.kind === "invoice")
    return (
      <Link to="/invoices/$invoiceId" params={{ invoiceId: record.id }}>
        {description}
      </Link>
    )
  if (record?.kind === "receipt")
    return (
      <Link to="/finance/receipting/$receiptId" params={{ receiptId: record.id }}>
        {description}
      </Link>
    )
  return description
}
