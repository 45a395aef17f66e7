import { type Account, accountNames, accounts } from "@milkwood/domain/ledger/account"
import type { PostingRow } from "@milkwood/domain/ledger/ledger.contract"
import { postingsList } from "@milkwood/domain/ledger/postings.list"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { api } from "../../platform/api.ts"
import { keepNumbersUnbroken } from "../../ui/breakable.tsx"
import { columnsOf, DataTable, tableOf } from "../../ui/data-table.tsx"
import { DayText, InstantText } from "../../ui/day.tsx"
import { dayReader, listAddress, textReader, untypedListAddress, useLooseListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { NotFoundInAppPage } from "../../ui/plain-page.tsx"
import { SummaryCards } from "../../ui/summary-cards.tsx"
import { RecordLink } from "../record-link.tsx"

export const Route = createFileRoute("/_app/finance/trial-balance/$account")({
  ...untypedListAddress,
  staticData: { permission: "ledger.read" },
  component: AccountPage,
})

const address = listAddress(postingsList, { asOf: dayReader, policyId: textReader })

const debitOrCredit = (cents: number) => cents > 0 && <MoneyText cents={cents} />

const columns = columnsOf<PostingRow, typeof postingsList>(postingsList, {
  effectiveOn: { width: 104, card: "aside" },
  description: {
    card: "title",
    wide: true,
    cell: (row) => <RecordLink record={row.record}>{keepNumbersUnbroken(row.description)}</RecordLink>,
  },
  group: { width: 170 },
  policy: { width: 128 },
  postedAt: { width: 150, cell: (row) => <InstantText at={row.postedAt} /> },
  debit: { width: 116, cell: (row) => debitOrCredit(row.debitCents) },
  credit: { width: 116, cell: (row) => debitOrCredit(row.creditCents) },
  balance: { width: 136, cell: (row) => <Balance cents={row.balanceCents} /> },
})

function AccountPage() {
  const { account: named } = Route.useParams()
  const account = accountNames.find((name) => name === named)
  return account ? <AccountPostings account={account} /> : <NotFoundInAppPage />
}

function AccountPostings({ account }: { account: Account }) {
  const list = useLooseListPlace(address, Route.useSearch())
  const { title } = accounts[account]
  const { data: answer, isError } = useQuery(
    api.ledger.postings.queryOptions({
      input: { ...list.search, account },
      placeholderData: (before) => before,
    }),
  )
  const { asOf } = list.search
  return (
    <ListPage>
      <PageHeader
        title={title}
        name={title}
        subtitle={
          asOf && (
            <>
              Up to the end of <DayText day={asOf} />
            </>
          )
        }
        back={{ to: "/finance/trial-balance", search: asOf ? { asOf } : {}, label: "Back to Trial balance" }}
      />
      <SummaryCards
        failed={isError}
        cards={[
          {
            label: "Debits",
            value: answer && totalOrDash(answer.sums, ({ debitCents }) => <MoneyText cents={debitCents} />),
          },
          {
            label: "Credits",
            value: answer && totalOrDash(answer.sums, ({ creditCents }) => <MoneyText cents={creditCents} />),
          },
          {
            label: "Balance",
            value:
              answer &&
              totalOrDash(answer.sums, ({ debitCents, creditCents }) => <Balance cents={debitCents - creditCents} />),
          },
        ]}
      />
      <DataTable
        {...tableOf(postingsList)}
        name={`postings-${account}`}
        list={list}
        query={(search) => api.ledger.postings.queryOptions({ input: { ...search, account } })}
        columns={columns}
        rowId={(row) => row.id}
        exportFrom={{ path: "/api/postings", input: (search) => ({ ...search, account }) }}
        rowName={(row) => row.description}
        empty={{
          title: "No postings to this account",
          words: "Invoices, receipts, claims and payments create postings.",
        }}
        failed="Failed to load postings"
      />
    </ListPage>
  )
}

const totalOrDash = <Sums,>(sums: Sums | null, shown: (sums: Sums) => ReactNode) => (sums ? shown(sums) : "–")

function Balance({ cents }: { cents: number }) {
  return (
    <span>
      <MoneyText cents={Math.abs(cents)} /> {cents > 0 ? "debit" : cents < 0 ? "credit" : ""}
    </span>
  )
}
