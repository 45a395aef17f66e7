import { Button } from "@mantine/core"
import type { PayoutRow } from "@milkwood/domain/payouts/payouts.contract"
import { payoutsList } from "@milkwood/domain/payouts/payouts.list"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions, useNavigate } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { useKeys } from "../../platform/keyboard.ts"
import { useSession } from "../../platform/session.ts"
import type { BulkDialog } from "../../ui/data-table/types.ts"
import { columnsOf, DataTable, tableOf } from "../../ui/data-table.tsx"
import { flagReader, listAddress, textReader, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { allowedSteps } from "../../ui/record-actions.tsx"
import { SummaryCards } from "../../ui/summary-cards.tsx"
import { usePayoutActions } from "../payout-actions.tsx"
import { payoutBulkSteps } from "../payout-bulk-steps.ts"
import { payoutsQuery } from "../payouts.api.ts"
import classes from "../payouts.module.css"
import { type PaidClaim, PreparePaymentsDialog } from "../prepare-payments-dialog.tsx"
import { ProcessPaymentDialog } from "../process-payment-dialog.tsx"

const BatchDialog = lazy(() => import("../batch-dialog.tsx"))

const address = listAddress(payoutsList, { new: flagReader, claimId: textReader })

export const Route = createFileRoute("/_app/finance/claims-payments")({
  ...address,
  staticData: { permission: "payouts.read" },
  component: ClaimsPaymentsPage,
})

const payoutLink = (payoutId: string) => linkOptions({ to: "/finance/claims-payments/$payoutId", params: { payoutId } })
const claimLink = (claimId: string) => linkOptions({ to: "/claims/$claimId", params: { claimId } })
/** A claim that awaits payment has no payment page yet. */
const rowLinkOf = (row: PayoutRow) => (row.status === "waiting" ? claimLink(row.subject.id) : payoutLink(row.id))

const columns = columnsOf<PayoutRow, typeof payoutsList>(payoutsList, {
  number: { width: 145 },
  claimNumber: { width: 145 },
  memberName: {
    cell: ({ memberName, payeeName }) => (
      <>
        {memberName ?? "–"}
        {payeeName !== "" && payeeName !== memberName && <span className={classes.payee}>To {payeeName}</span>}
      </>
    ),
  },
  // Hidden to fit a desktop screen; another payee is also under the member's name.
  payeeName: { hidden: true },
  amountCents: { width: 130 },
  status: { width: 145 },
  reference: { width: 160 },
})

const listInputOf = ({ new: _new, claimId: _claim, ...search }: ReturnType<typeof Route.useSearch>) => search

const countText = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`

function ClaimsPaymentsPage() {
  const list = useListPlace(Route.useSearch())
  const navigate = useNavigate()
  const { can } = useSession()
  const { of, dialogs } = usePayoutActions()
  const { new: making, claimId, status } = list.search
  const { data, isError } = useQuery(payoutsQuery(listInputOf(list.search)))
  const open = () => list.go({ new: true })
  const close = () => list.go({ new: undefined, claimId: undefined })
  useKeys({ n: open }, can("payouts.write"))
  const [batching, setBatching] = useState<{ ids: string[]; done: (made: boolean) => void }>()
  const batchOf = (selection: { ids: string[] } | { everyMatch: unknown }) =>
    "ids" in selection && new Promise<boolean>((done) => setBatching({ ids: selection.ids, done }))
  const [paying, setPaying] = useState<{ claims: PaidClaim[]; done: (made: boolean) => void }>()
  const paySelected: BulkDialog<PayoutRow> = {
    label: "Make payments for",
    gives: { one: "claim", many: "claims" },
    may: ({ allowedActions }) => allowedActions.includes("process"),
    open: (rows) =>
      new Promise<boolean>((done) =>
        setPaying({
          claims: rows.map(({ subject, amountCents }) => ({
            id: subject.id,
            number: subject.label,
            openCents: amountCents,
          })),
          done,
        }),
      ),
  }
  const stopPaying = (made: boolean) => {
    paying?.done(made)
    setPaying(undefined)
  }
  return (
    <ListPage>
      <PageHeader
        title="Claims Payments"
        subtitle="Pay approved claims: prepared by one person, released by another"
        actions={
          <>
            <Button variant="default" renderRoot={(props) => <Link {...props} to="/finance/payment-batches" />}>
              Payment batches
            </Button>
            {can("payouts.write") && (
              <Button onClick={open} aria-keyshortcuts="n">
                Process Payment
              </Button>
            )}
          </>
        }
      />
      <SummaryCards
        failed={isError}
        cards={[
          {
            label: "Waiting for payment",
            value: data && <MoneyText cents={data.cards.waiting.cents} />,
            hint: data && countText(data.cards.waiting.count, "approved claim"),
            active: status === "waiting",
            link: linkOptions({
              to: "/finance/claims-payments",
              search: status === "waiting" ? {} : { status: "waiting" },
            }),
          },
          {
            label: "In progress",
            value: data && <MoneyText cents={data.cards.underway?.cents} />,
            hint: data && countText(data.cards.underway?.count ?? 0, "payment"),
          },
          {
            label: "Completed",
            value: data && <MoneyText cents={data.cards.completed?.cents} />,
            hint: data && countText(data.cards.completed?.count ?? 0, "payment"),
            active: status === "completed",
            link: linkOptions({
              to: "/finance/claims-payments",
              search: status === "completed" ? {} : { status: "completed" },
            }),
          },
        ]}
      />
      <DataTable
        {...tableOf(payoutsList)}
        filters={tableOf(payoutsList).filters.filter(({ name }) => name !== "forMe" || can("payouts.write"))}
        savedViews
        list={list}
        query={(search) => payoutsQuery(listInputOf(search))}
        exportFrom={{ path: "/api/payouts", input: listInputOf }}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => row.number || row.subject.label}
        rowLink={rowLinkOf}
        rowActions={(row) => [
          ...(row.allowedActions.includes("process")
            ? [{ label: "Process Payment", onClick: () => list.go({ claimId: row.subject.id }) }]
            : []),
          ...(row.status === "waiting" ? [] : [{ label: "View payment", link: payoutLink(row.id) }]),
          ...allowedSteps(row, of(row)),
          { label: "View claim", link: claimLink(row.subject.id) },
        ]}
        bulkSteps={can("payouts.write") ? [paySelected, ...payoutBulkSteps] : payoutBulkSteps}
        bulkActions={can("payouts.write") ? [{ label: "Create batch", run: batchOf }] : []}
        pageTotal={{ label: "Amount", of: (row) => row.amountCents }}
        empty={{ title: "No payments yet", words: "Pay approved claims here." }}
        noMatch="No payments match."
        failed="Failed to load claims payments"
      />
      {dialogs}
      {batching && (
        <Suspense>
          <BatchDialog
            payoutIds={batching.ids}
            onClose={() => {
              batching.done(false)
              setBatching(undefined)
            }}
            onDone={(batch) => {
              batching.done(true)
              void navigate({ to: "/finance/payment-batches/$batchId", params: { batchId: batch.id } })
            }}
          />
        </Suspense>
      )}
      {paying && (
        <PreparePaymentsDialog
          claims={paying.claims}
          onClose={() => stopPaying(false)}
          onDone={({ batch }) => {
            stopPaying(true)
            if (batch) void navigate({ to: "/finance/payment-batches/$batchId", params: { batchId: batch.id } })
          }}
        />
      )}
      {(making || claimId) && can("payouts.write") && (
        <ProcessPaymentDialog
          {...(claimId ? { claimId } : {})}
          onClose={close}
          onDone={(payout) => (payout ? void navigate(payoutLink(payout.id)) : close())}
        />
      )}
    </ListPage>
  )
}
