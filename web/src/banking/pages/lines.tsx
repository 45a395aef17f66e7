import { Button } from "@mantine/core"
import type { BankLineRow } from "@milkwood/domain/banking/bank-line-shape"
import { bankLinesList } from "@milkwood/domain/banking/bank-lines.list"
import { lineStateNames } from "@milkwood/domain/banking/bank-placement"
import type { BankAccountRow } from "@milkwood/domain/banking/banking.contract"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { api } from "../../platform/api.ts"
import { useKeys } from "../../platform/keyboard.ts"
import { useSession } from "../../platform/session.ts"
import { withUnbrokenNumbers } from "../../ui/breakable.tsx"
import { columnsOf, DataTable, tableOf, withFilterChoices } from "../../ui/data-table.tsx"
import { DayText } from "../../ui/day.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { EmptyState } from "../../ui/empty-state.tsx"
import { flagReader, listAddress, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { LoadFailed } from "../../ui/load-failed.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { allowedSteps } from "../../ui/record-actions.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { SummaryCards } from "../../ui/summary-cards.tsx"
import { bankAccountsQuery } from "../banking.api.ts"
import classes from "../banking.module.css"
import { useLineActions } from "../line-actions.tsx"

const ImportDialog = lazy(() => import("../import-dialog.tsx"))

export const Route = createFileRoute("/_app/invoices/reconciliation/lines")({
  ...listAddress(bankLinesList, { import: flagReader }),
  staticData: { permission: "banking.read" },
  component: LinesPage,
})

const statementLinkOf = ({ statementId }: BankLineRow) =>
  linkOptions({ to: "/invoices/reconciliation/statements/$statementId", params: { statementId } })

const statusLooks = {
  open: "pending",
  receipt: "done",
  payout: "done",
  returned: "done",
  charge: "done",
  interest: "done",
  transfer: "done",
  unknown: "disputed",
}

const columns = columnsOf<BankLineRow, typeof bankLinesList>(bankLinesList, {
  day: { width: 112 },
  text: { wide: true, cell: ({ text }) => withUnbrokenNumbers(text || "–") },
  reference: { width: 170, cell: ({ reference }) => withUnbrokenNumbers(reference || "–") },
  amount: { width: 140 },
  balance: { width: 140 },
  account: { width: 150, hidden: true },
  state: {
    width: 150,
    cell: ({ state, note, matches, matchCount }) =>
      matches.length > 0 ? (
        <>
          {matches.map(({ id, kind, number }) => (
            <div key={id}>
              {kind === "receipt" ? (
                <Link to="/finance/receipting/$receiptId" params={{ receiptId: id }}>
                  <DocumentNumber>{number}</DocumentNumber>
                </Link>
              ) : (
                <DocumentNumber>{number}</DocumentNumber>
              )}
            </div>
          ))}
          {matchCount > matches.length && <div className={classes.words}>and {matchCount - matches.length} more</div>}
        </>
      ) : (
        <>
          <StatusBadge status={statusLooks[state]} label={lineStateNames[state]} />
          {note && <div className={classes.words}>{note}</div>}
        </>
      ),
  },
  statement: {
    width: 160,
    cell: (row) => (
      <Link {...statementLinkOf(row)}>
        <DocumentNumber>{row.statementNumber}</DocumentNumber>
      </Link>
    ),
  },
})

function LinesPage() {
  const { import: importing, ...search } = Route.useSearch()
  const list = useListPlace(search)
  const navigate = Route.useNavigate()
  const { can } = useSession()
  const accounts = useQuery(bankAccountsQuery())
  const found = accounts.data ?? []
  const openCount = found.reduce((sum, account) => sum + account.openCount, 0)
  const mayImport = can("banking.write") && found.length > 0
  const show = (opened: true | undefined) =>
    void navigate({ search: (before) => ({ ...before, import: opened }), replace: true })
  useKeys({ n: () => show(true) }, mayImport && !importing)
  const table = tableOf<BankLineRow>(bankLinesList)
  const { of, setAside, dialogs } = useLineActions()
  const shown = found.filter(({ id }) => search.accountId === undefined || search.accountId === id)
  return (
    <ListPage>
      <PageHeader
        title="Bank lines"
        subtitle="Lines from bank statements and their matches in the ledger"
        back={{ to: "/invoices/reconciliation", label: "Back to Reconciliation" }}
        actions={
          <>
            <Button
              variant="default"
              component={Link}
              {...(linkOptions({ to: "/invoices/reconciliation/statements" }) as object)}
            >
              Statements
            </Button>
            <Button
              variant="default"
              component={Link}
              {...(linkOptions({ to: "/invoices/reconciliation/payers" }) as object)}
            >
              Known payers
            </Button>
            {can("banking.write") && openCount > 0 && (
              <Button
                component={Link}
                {...(linkOptions({
                  to: "/invoices/reconciliation/match",
                  search: { accountId: search.accountId, statementId: search.statementId },
                }) as object)}
              >
                {openCount === 1 ? "Match 1 line" : `Match ${openCount.toLocaleString("en-ZA")} lines`}
              </Button>
            )}
            {mayImport && (
              <Button variant={openCount > 0 ? "default" : "filled"} onClick={() => show(true)} aria-keyshortcuts="n">
                Import Bank Statement
              </Button>
            )}
          </>
        }
      />
      {accounts.isError && !accounts.data && (
        <LoadFailed
          title="Failed to load bank accounts"
          error={accounts.error}
          onRetry={accounts.refetch}
          busy={accounts.isFetching}
        />
      )}
      {accounts.data?.length === 0 ? (
        <EmptyState title="No bank account yet">
          {can("banking.accounts") ? (
            <>
              Statements belong to an account. <Link to="/settings">Add one in Settings, General</Link>
            </>
          ) : (
            "Statements belong to an account. Ask an administrator to add one in Settings, General."
          )}
        </EmptyState>
      ) : (
        <>
          <SummaryCards
            failed={accounts.isError}
            cards={found.map((account) => ({
              label: account.name,
              value: account.statementCents === null ? "No statement" : <MoneyText cents={account.statementCents} />,
              hint: (
                <>
                  {account.lastLineOn && (
                    <>
                      Imported up to <DayText day={account.lastLineOn} />.{" "}
                    </>
                  )}
                  {lineCountText(account.openCount)} to match
                </>
              ),
              active: list.search.accountId === account.id,
              link: linkOptions({
                to: "/invoices/reconciliation/lines",
                search: { ...search, page: 1, accountId: search.accountId === account.id ? undefined : account.id },
              }),
            }))}
          />
          {shown.length === 1 && <BalanceEquation account={shown[0]!} />}
          <DataTable
            {...table}
            filters={withFilterChoices(table.filters, { accountId: found.map(({ id, name }) => ({ id, name })) })}
            savedViews
            list={list}
            query={(asked) => api.banking.lines.queryOptions({ input: asked })}
            exportFrom={{ path: "/api/bank-lines" }}
            columns={columns}
            rowId={(row) => row.id}
            rowName={(row) => `${row.text}, ${row.day}`}
            rowLink={statementLinkOf}
            rowActions={(row) => [
              { label: "View statement", link: statementLinkOf(row) },
              ...allowedSteps(row, of(row)),
            ]}
            bulkActions={
              can("banking.write") && list.search.tab === "open"
                ? [
                    {
                      label: "Not a premium or claim payment",
                      run: (selection) => {
                        if ("ids" in selection) setAside(selection.ids)
                        return false
                      },
                    },
                  ]
                : []
            }
            pageTotal={{ label: "Net", of: (row) => row.amountCents }}
            empty={
              found.some(({ lineCount }) => lineCount > 0)
                ? { title: "Nothing to match", words: "All bank lines are matched." }
                : { title: "No lines yet", words: "Import a bank statement to see its lines here." }
            }
            noMatch="No lines match."
            failed="Failed to load bank lines"
          />
        </>
      )}
      {dialogs}
      {importing && mayImport && (
        <Suspense fallback={null}>
          <ImportDialog accounts={found} accountId={search.accountId} onClose={() => show(undefined)} />
        </Suspense>
      )}
    </ListPage>
  )
}

const lineCountText = (count: number) => (count === 1 ? "1 line" : `${count.toLocaleString("en-ZA")} lines`)

/** Explains the difference between the ledger and the statement balance. */
function BalanceEquation({ account }: { account: BankAccountRow }) {
  if (account.statementCents === null) return null
  return (
    <p className={classes.equation}>
      <span>
        Statement balance <MoneyText cents={account.statementCents} />
      </span>
      <span>
        + receipts not on a statement yet <MoneyText cents={account.receiptsToComeCents} />
      </span>
      <span>
        − payments not on a statement yet <MoneyText cents={account.paymentsToComeCents} />
      </span>
      <span>
        − lines not posted <MoneyText cents={account.notPostedCents} />
      </span>
      <strong>
        = ledger balance <MoneyText cents={account.ledgerCents} />
      </strong>
    </p>
  )
}
