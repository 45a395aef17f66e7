import { Button, Select } from "@mantine/core"
import { type ProofKind, proofKindNames } from "@milkwood/domain/banking/bank-proof"
import { formatMonth, isoMonthOf } from "@milkwood/domain/kernel/calendar"
import type { AccountProofRow, BankReconciliation, ProofItemRow } from "@milkwood/domain/month-end/month-end.contract"
import { IconDownload } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import { DayText, InstantText } from "../../ui/day.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { addressParameters, monthReader } from "../../ui/list-address.ts"
import { LoadFailed } from "../../ui/load-failed.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { RecordLoading } from "../../ui/record-page.tsx"
import { bankReconciliationQuery } from "../month-end.api.ts"
import classes from "../month-end.module.css"
import { monthsUpTo, selectedMonth } from "../months.ts"

export const Route = createFileRoute("/_app/finance/month-end/bank")({
  ...addressParameters({ month: monthReader }),
  staticData: { permission: "monthEnd.read" },
  component: BankReconciliationPage,
})

function BankReconciliationPage() {
  const { month: asked } = Route.useSearch()
  const navigate = Route.useNavigate()
  const { today } = useDisplay()
  const month = selectedMonth(asked, today)
  const found = useQuery(bankReconciliationQuery(month))
  const of = isoMonthOf(month)
  const months = monthsUpTo(today)
  const file = (format: "pdf" | "csv") => (
    <Button
      variant="default"
      component="a"
      href={`/api/month-end/bank/${of}/${format}`}
      download
      leftSection={<IconDownload size={14} aria-hidden />}
    >
      {format.toUpperCase()}
    </Button>
  )
  // The signed files are made shortly after the month is closed.
  const isMade = found.data && (found.data.signed === null || found.data.signed.pdfSha256 !== null)
  return (
    <>
      <PageHeader
        title="Bank reconciliation"
        subtitle={
          found.data ? (
            <>
              The balance of each bank account on <DayText day={found.data.day} />, per statements and per ledger
            </>
          ) : (
            "The balance of each bank account, per statements and per ledger"
          )
        }
        back={{ ...linkOptions({ to: "/finance/month-end", search: { month: of } }), label: "Back to Month end" }}
        actions={
          <>
            <Select
              aria-label="Month"
              w={170}
              allowDeselect={false}
              value={month}
              data={(months.includes(month) ? months : [month, ...months]).map((first) => ({
                value: first,
                label: formatMonth(first),
              }))}
              onChange={(first) => first && void navigate({ search: { month: isoMonthOf(first) } })}
            />
            {isMade && file("pdf")}
            {isMade && file("csv")}
          </>
        }
      />
      {found.data ? (
        <Reconciliation found={found.data} />
      ) : found.isPending ? (
        <RecordLoading words="Reconciling the bank accounts..." />
      ) : (
        <LoadFailed
          title="Failed to load the bank reconciliation"
          error={found.error}
          onRetry={found.refetch}
          busy={found.isFetching}
        />
      )}
    </>
  )
}

const unsignedText = (isClosed: boolean): string =>
  isClosed
    ? "Current figures. The month was closed before reconciliations were signed and stored."
    : "Current figures. They are signed and stored when the month is closed."

function Reconciliation({ found }: { found: BankReconciliation }) {
  const { accounts, signed, isClosed, ledgerCents, undepositedCents } = found
  return (
    <>
      <p className={classes.words}>
        {signed ? (
          <>
            Signed at the closing by {signed.closedByName}, <InstantText at={signed.closedAt} />.
            {signed.pdfSha256 === null ? " Its files are being created." : ""}
          </>
        ) : (
          unsignedText(isClosed)
        )}
      </p>
      {accounts.length === 0 && (
        <p className={classes.words}>No bank account is set up. An administrator adds it under Settings, General.</p>
      )}
      {accounts.map((account) => (
        <Account key={account.accountId} account={account} />
      ))}
      <table className={classes.proof}>
        <tbody>
          <Row words="Ledger bank balance, all accounts" cents={ledgerCents} strong />
          <Row words="Undeposited cash, cheques and cards (separate ledger account)" cents={undepositedCents} />
        </tbody>
      </table>
    </>
  )
}

function Account({ account }: { account: AccountProofRow }) {
  const { name, bank, accountNumber, statement, groups, expectedCents, ledgerCents, unexplainedCents } = account
  return (
    <section className={classes.account} aria-label={name}>
      <h2 className={classes.title}>
        {name} <small>{`${bank} ${accountNumber}`}</small>
      </h2>
      <table className={classes.proof}>
        <tbody>
          {statement === null ? (
            <tr>
              <td colSpan={4}>No statement starts on or before this day: the ledger balance cannot be verified.</td>
            </tr>
          ) : (
            <>
              <Row words="Statement balance" cents={statement.cents} strong>
                <small>
                  {statement.number ? (
                    <DocumentNumber>{statement.number}</DocumentNumber>
                  ) : (
                    "Sum of lines (no file states a balance)"
                  )}
                  {statement.lastLineOn && (
                    <>
                      , last line on <DayText day={statement.lastLineOn} />
                    </>
                  )}
                </small>
              </Row>
              {groups.map((group) => (
                <Group key={group.kind} {...group} />
              ))}
              <Row words="Expected ledger balance" cents={expectedCents} strong />
            </>
          )}
          <Row words="Ledger balance" cents={ledgerCents} strong />
          <Row
            words={statement === null ? "Not verified" : "Unexplained difference"}
            cents={unexplainedCents}
            strong
            wrong={unexplainedCents !== 0}
          />
        </tbody>
      </table>
    </section>
  )
}

interface RowProps {
  words: string
  cents: number | null
  strong?: boolean
  wrong?: boolean
  children?: React.ReactNode
}

const Row = ({ words, cents, strong, wrong, children }: RowProps) => (
  <tr data-strong={strong} data-wrong={wrong}>
    <th scope="row" colSpan={3}>
      {words} {children}
    </th>
    <td>
      <MoneyText cents={cents} />
    </td>
  </tr>
)

const proofKindTexts: Record<ProofKind, string> = {
  deposit: "In the ledger, but not on a statement by this day",
  payment: "In the ledger, but not on a statement by this day",
  unposted: "On a statement, but not in the ledger",
  later: "On a statement; posted to the ledger in a later month",
}

function Group({ kind, cents, count, items }: AccountProofRow["groups"][number]) {
  return (
    <>
      <Row words={count > 0 ? `${proofKindNames[kind]} (${count})` : proofKindNames[kind]} cents={cents}>
        <small>{proofKindTexts[kind]}</small>
      </Row>
      {items.map((item) => (
        <tr key={item.id} className={classes.item}>
          <td>
            <DayText day={item.on} />
          </td>
          <td colSpan={2}>
            <span className={classes.itemNumber}>
              <ItemNumber item={item} />
            </span>{" "}
            {item.name}
            {item.countsOn && (
              <small>
                {" "}
                posted on <DayText day={item.countsOn} />
              </small>
            )}
          </td>
          <td>
            <MoneyText cents={item.amountCents} />
          </td>
        </tr>
      ))}
      {count > items.length && (
        <tr className={classes.item}>
          <td colSpan={4}>{count - items.length} more are in the PDF and the CSV.</td>
        </tr>
      )}
    </>
  )
}

function ItemNumber({ item: { record, recordId: id, number } }: { item: ProofItemRow }) {
  switch (record) {
    case "receipt":
      return <Link {...linkOptions({ to: "/finance/receipting/$receiptId", params: { receiptId: id } })}>{number}</Link>
    case "payout":
      return (
        <Link {...linkOptions({ to: "/finance/claims-payments/$payoutId", params: { payoutId: id } })}>{number}</Link>
      )
    case "bank_statement":
      return (
        <Link {...linkOptions({ to: "/invoices/reconciliation/statements/$statementId", params: { statementId: id } })}>
          {number}
        </Link>
      )
    case "bank_account":
      return number
  }
}
