import { Button } from "@mantine/core"
import { payoutMethodNames } from "@milkwood/domain/payouts/payout"
import { payoutStatuses } from "@milkwood/domain/payouts/payout-statuses"
import type { PayoutRow } from "@milkwood/domain/payouts/payouts.contract"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, linkOptions, useNavigate } from "@tanstack/react-router"
import { useKeys } from "../../platform/keyboard.ts"
import { useSession } from "../../platform/session.ts"
import { type Column, DataTable } from "../../ui/data-table.tsx"
import { DayText, InstantText } from "../../ui/day.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { aDay, addressOf, flag, oneOf, text, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { SummaryCards } from "../../ui/summary-cards.tsx"
import { payoutsQuery } from "../payouts.api.ts"
import { ProcessPaymentDialog } from "../process-payment-dialog.tsx"

export const Route = createFileRoute("/_app/finance/claims-payments")({
  ...addressOf({
    sorts: ["createdAt", "number", "memberName", "amountCents", "completedOn"],
    defaultSort: "createdAt",
    defaultDir: "desc",
    filters: { status: oneOf(payoutStatuses), completedFrom: aDay, completedTo: aDay, new: flag, claimId: text },
  }),
  staticData: { permission: "payouts.read" },
  component: ClaimsPaymentsPage,
})

const linkTo = (payoutId: string) => linkOptions({ to: "/finance/claims-payments/$payoutId", params: { payoutId } })

const columns: Column<PayoutRow>[] = [
  {
    key: "number",
    header: "Payment",
    sort: "number",
    width: 160,
    card: "title",
    cell: (row) => <DocumentNumber>{row.number}</DocumentNumber>,
  },
  {
    key: "claimNumber",
    header: "Claim",
    width: 160,
    cell: (row) => <DocumentNumber>{row.claimNumber}</DocumentNumber>,
  },
  { key: "memberName", header: "Member", sort: "memberName", cell: (row) => row.memberName },
  { key: "groupName", header: "Group", cell: (row) => row.groupName },
  {
    key: "amountCents",
    header: "Amount",
    sort: "amountCents",
    align: "right",
    width: 140,
    cell: (row) => <MoneyText cents={row.amountCents} />,
  },
  { key: "method", header: "Method", width: 130, hidden: true, cell: (row) => payoutMethodNames[row.method] },
  { key: "reference", header: "Reference", width: 160, hidden: true, cell: (row) => row.reference },
  {
    key: "createdAt",
    header: "Made",
    sort: "createdAt",
    width: 120,
    cell: (row) => <InstantText at={row.createdAt} show="day" />,
  },
  {
    key: "completedOn",
    header: "Paid",
    sort: "completedOn",
    width: 120,
    cell: (row) => <DayText day={row.completedOn} />,
  },
  { key: "status", header: "Status", width: 130, card: "aside", cell: (row) => <StatusBadge status={row.status} /> },
]

const inputOf = ({ new: _new, claimId: _claim, ...search }: ReturnType<typeof Route.useSearch>) => search

const counted = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`

/** Claims payments: approved claims on their way to being paid. */
function ClaimsPaymentsPage() {
  const list = useListPlace(Route.useSearch())
  const navigate = useNavigate()
  const { can } = useSession()
  const { new: making, claimId, status } = list.search
  const { data, isError } = useQuery(payoutsQuery(inputOf(list.search)))
  const open = () => list.go({ new: true })
  const close = () => list.go({ new: undefined, claimId: undefined })
  useKeys({ n: open }, can("payouts.write"))
  return (
    <ListPage>
      <PageHeader
        title="Claims Payments"
        subtitle="Pay approved claims: made by one person, released by another"
        actions={
          can("payouts.write") && (
            <Button onClick={open} aria-keyshortcuts="n">
              Process Payment
            </Button>
          )
        }
      />
      <SummaryCards
        failed={isError}
        cards={[
          {
            label: "Waiting for payment",
            value: data && <MoneyText cents={data.cards.waiting.cents} />,
            hint: data && counted(data.cards.waiting.count, "approved claim"),
            link: linkOptions({ to: "/claims", search: { tab: "approved", status: "approved" } }),
          },
          {
            label: "On their way",
            value: data && <MoneyText cents={data.cards.underway.cents} />,
            hint: data && counted(data.cards.underway.count, "payment"),
          },
          {
            label: "Completed",
            value: data && <MoneyText cents={data.cards.completed.cents} />,
            hint: data && counted(data.cards.completed.count, "payment"),
            active: status === "completed",
            link: linkOptions({
              to: "/finance/claims-payments",
              search: status === "completed" ? {} : { status: "completed" },
            }),
          },
        ]}
      />
      <DataTable
        name="payouts"
        savedViews
        noun={{ one: "payment", many: "payments" }}
        list={list}
        query={(search) => payoutsQuery(inputOf(search))}
        exportFrom={{ path: "/api/payouts.csv", input: inputOf }}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => row.number}
        rowLink={(row) => linkTo(row.id)}
        rowActions={(row) => [
          { label: "View payment", link: linkTo(row.id) },
          { label: "View claim", link: linkOptions({ to: "/claims/$claimId", params: { claimId: row.claimId } }) },
        ]}
        searchLabel="Search payment, claim, member, group, reference"
        filters={[
          {
            name: "status",
            label: "Status",
            kind: "choice",
            options: payoutStatuses.map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) })),
          },
          { name: "completedFrom", until: "completedTo", label: "Paid", kind: "days" },
        ]}
        pageTotal={{ label: "Amount", of: (row) => row.amountCents }}
        empty={{ title: "No payments yet", words: "Approved claims are paid from here." }}
        noMatch="No payments match."
        failed="Failed to load claims payments"
      />
      {(making || claimId) && can("payouts.write") && (
        <ProcessPaymentDialog
          {...(claimId ? { claimId } : {})}
          onClose={close}
          onDone={(payout) => void navigate(linkTo(payout.id))}
        />
      )}
    </ListPage>
  )
}
