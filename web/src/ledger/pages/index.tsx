import { Table, Text } from "@mantine/core"
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link } from "@tanstack/react-router"
import { api } from "../../platform/api.ts"
import { DayText } from "../../ui/day.tsx"
import { DayInput } from "../../ui/day-input.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { addressParameters, dayReader } from "../../ui/list-address.ts"
import { LoadFailed } from "../../ui/load-failed.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { RecordLoading } from "../../ui/record-page.tsx"
import classes from "../ledger.module.css"

export const Route = createFileRoute("/_app/finance/trial-balance")({
  ...addressParameters({ asOf: dayReader }),
  staticData: { permission: "ledger.read" },
  component: TrialBalancePage,
})

const accountKindNames = {
  asset: "Asset",
  liability: "Liability",
  equity: "Equity",
  income: "Income",
  expense: "Expense",
} as const

function TrialBalancePage() {
  const { asOf } = Route.useSearch()
  const navigate = Route.useNavigate()
  const { today } = useDisplay()
  const balance = useQuery(api.ledger.trialBalance.queryOptions({ input: asOf ? { asOf } : {} }))
  return (
    <>
      <PageHeader
        title="Trial balance"
        subtitle="All ledger accounts; open one to see its postings"
        actions={
          <DayInput
            aria-label="Balances at the end of"
            leftSection={<span className={classes.asOf}>As of</span>}
            leftSectionWidth={52}
            w={190}
            value={asOf ?? today}
            onChange={(day) => day && void navigate({ search: day === today ? {} : { asOf: day } })}
          />
        }
      />
      {balance.data ? (
        <section className={classes.card} aria-label="Balances">
          <div className={classes.tableScroll}>
            <Table highlightOnHover>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Account</Table.Th>
                  <Table.Th w={120} visibleFrom="sm">
                    Kind
                  </Table.Th>
                  <Table.Th w={110} className={classes.right} visibleFrom="sm">
                    Postings
                  </Table.Th>
                  <Table.Th className={classes.right}>Debit</Table.Th>
                  <Table.Th className={classes.right}>Credit</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {balance.data.accounts.map((row) => (
                  <Table.Tr key={row.account}>
                    <Table.Td>
                      <Link
                        to="/finance/trial-balance/$account"
                        params={{ account: row.account }}
                        search={asOf ? { asOf } : {}}
                      >
                        {row.title}
                      </Link>
                    </Table.Td>
                    <Table.Td visibleFrom="sm">{accountKindNames[row.kind]}</Table.Td>
                    <Table.Td className={classes.right} visibleFrom="sm">
                      {row.postings}
                    </Table.Td>
                    <Table.Td className={classes.right}>
                      {row.debitCents > 0 && <MoneyText cents={row.debitCents} />}
                    </Table.Td>
                    <Table.Td className={classes.right}>
                      {row.creditCents > 0 && <MoneyText cents={row.creditCents} />}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
              <Table.Tfoot>
                <Table.Tr className={classes.total}>
                  <Table.Th>Total</Table.Th>
                  <Table.Td visibleFrom="sm" />
                  <Table.Td visibleFrom="sm" />
                  <Table.Td className={classes.right}>
                    <MoneyText cents={balance.data.debitCents} />
                  </Table.Td>
                  <Table.Td className={classes.right}>
                    <MoneyText cents={balance.data.creditCents} />
                  </Table.Td>
                </Table.Tr>
              </Table.Tfoot>
            </Table>
          </div>
          <Text component="p" className={classes.verdict} data-balanced={balance.data.balanced}>
            {balance.data.balanced ? (
              <IconCircleCheck size={16} aria-hidden />
            ) : (
              <IconAlertTriangle size={16} aria-hidden />
            )}
            <span>
              {balance.data.balanced
                ? "Debits equal credits at the end of "
                : "Debits and credits differ at the end of "}
              <DayText day={balance.data.asOf} />.
            </span>
          </Text>
        </section>
      ) : balance.isPending ? (
        <RecordLoading words="Loading the trial balance..." />
      ) : (
        <LoadFailed
          title="Failed to load the trial balance"
          error={balance.error}
          onRetry={balance.refetch}
          busy={balance.isFetching}
        />
      )}
    </>
  )
}
