import { Modal, Table } from "@mantine/core"
import { changePercent } from "@milkwood/domain/billing/billing-run"
import type { BillingRunDetail, BillingRunLine, RunPolicyRow } from "@milkwood/domain/billing/billing-runs.contract"
import { formatMonth } from "@milkwood/domain/kernel/calendar"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { api } from "../platform/api.ts"
import { keepNumbersUnbroken } from "../ui/breakable.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { MoneyText } from "../ui/money.tsx"
import classes from "./run.module.css"

export function RunChangeText({ row }: { row: RunPolicyRow }) {
  if (row.changeCents === null || row.lastCents === null) return "–"
  const percent = changePercent({ lastCents: row.lastCents, changeCents: row.changeCents })
  return (
    <span className={classes.change}>
      <MoneyText cents={row.changeCents} />
      {percent !== null && percent !== 0 && (
        <span className={classes.words}>{percent > 0 ? `+${percent}` : percent} %</span>
      )}
    </span>
  )
}

const changeCauses = [
  ["Joiners", "joinersCents"],
  ["Leavers", "leaversCents"],
  ["Premium", "premiumCents"],
  ["Recorded late", "otherCents"],
] as const

export function RunLinesDialog({
  run,
  row,
  onClose,
}: {
  run: BillingRunDetail
  row: RunPolicyRow
  onClose: () => void
}) {
  const isMade = row.state === "made"
  const lines = useQuery({
    ...api.billing.runs.lines.queryOptions({ input: { runId: run.id, policyId: row.policyId } }),
    enabled: !isMade,
  })
  const found = lines.data
  return (
    <Modal
      opened
      onClose={onClose}
      size={860}
      title={keepNumbersUnbroken(`${row.groupName}, ${row.policyNumber}: ${formatMonth(run.month)}`)}
    >
      {row.changeCents !== null && row.changeCents !== 0 && (
        <ul className={classes.causes} aria-label="Change from last month">
          <li>
            Change <MoneyText cents={row.changeCents} />
          </li>
          {changeCauses.map(
            ([label, key]) =>
              row[key] !== 0 && (
                <li key={key} className={classes.words}>
                  {label} <MoneyText cents={row[key]} />
                </li>
              ),
          )}
        </ul>
      )}
      {isMade && (
        <p className={classes.words}>
          This policy is billed.{" "}
          {row.invoiceId && (
            <Link to="/invoices/$invoiceId" params={{ invoiceId: row.invoiceId }}>
              See the lines on {row.invoiceNumber}
            </Link>
          )}
          {row.creditNotes > 0 &&
            ` ${row.creditNotes === 1 ? "1 credit note was" : `${row.creditNotes} credit notes were`} created.`}
        </p>
      )}
      {lines.isError && (
        <LoadFailed
          error={lines.error}
          onRetry={lines.refetch}
          busy={lines.isFetching}
          title="Failed to load the lines"
        />
      )}
      {lines.isLoading && <p className={classes.words}>Loading lines...</p>}
      {found && (
        <div className={classes.lines}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Month</Table.Th>
                <Table.Th>Line</Table.Th>
                <Table.Th ta="right">Excl. VAT</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <RunLines heading="Adjustments" lines={found.lines.filter(({ isAdjustment }) => isAdjustment)} />
            <RunLines
              heading={formatMonth(run.month)}
              lines={found.lines.filter(({ isAdjustment }) => !isAdjustment)}
            />
          </Table>
          {found.total > found.lines.length && (
            <p
              className={classes.words}
            >{`The first ${found.lines.length} of ${found.total.toLocaleString("en-ZA")} lines.`}</p>
          )}
          {found.total === 0 && <p className={classes.words}>No differences left.</p>}
        </div>
      )}
    </Modal>
  )
}

function RunLines({ heading, lines }: { heading: string; lines: BillingRunLine[] }) {
  if (lines.length === 0) return null
  return (
    <Table.Tbody>
      <Table.Tr>
        <Table.Th colSpan={3} scope="rowgroup" pt={12}>
          <span className={classes.heading}>{heading}</span>
        </Table.Th>
      </Table.Tr>
      {lines.map((line, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: Lines have no id before they are created, and their order is fixed.
        <Table.Tr key={place}>
          <Table.Td className={classes.month}>{formatMonth(line.month)}</Table.Td>
          <Table.Td>{keepNumbersUnbroken(line.description)}</Table.Td>
          <Table.Td ta="right" className={classes.month}>
            <MoneyText cents={line.cents} />
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  )
}
