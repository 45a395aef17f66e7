import { Button, Select } from "@mantine/core"
import { runMarkNames, runPolicyStateNames } from "@milkwood/domain/billing/billing-run"
import type { BillingRunDetail, RunPolicyRow } from "@milkwood/domain/billing/billing-runs.contract"
import { runPoliciesList } from "@milkwood/domain/billing/run-policies.list"
import { addMonths, formatMonth } from "@milkwood/domain/kernel/calendar"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import { useCallback, useState } from "react"
import { api, newKey } from "../../platform/api.ts"
import { refreshModule } from "../../platform/live.ts"
import { type BulkAction, columnsOf, DataTable, type RowAction, tableOf } from "../../ui/data-table.tsx"
import { JobProgress } from "../../ui/job-progress.tsx"
import { listAddress, useListPlace } from "../../ui/list-address.ts"
import { ListPage } from "../../ui/list-page.tsx"
import { LoadFailed } from "../../ui/load-failed.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { SummaryCards } from "../../ui/summary-cards.tsx"
import { useRunCommands } from "../run.api.ts"
import classes from "../run.module.css"
import { RunActions } from "../run-actions.tsx"
import { RunEarlierMonths } from "../run-earlier-months.tsx"
import { RunChangeText, RunLinesDialog } from "../run-lines.tsx"

export const Route = createFileRoute("/_app/invoices/run")({
  ...listAddress(runPoliciesList),
  staticData: { permission: "invoices.write" },
  component: RunPage,
})

function RunPage() {
  const { runId } = Route.useSearch()
  const runs = useQuery(api.billing.runs.list.queryOptions({ input: {} }))
  const shown = runId ?? runs.data?.rows[0]?.id
  const run = useQuery({
    ...api.billing.runs.detail.queryOptions({ input: { runId: shown ?? "" } }),
    enabled: shown !== undefined,
  })
  const navigate = Route.useNavigate()
  const show = (id: string) => void navigate({ search: (search) => ({ ...search, runId: id, page: 1, tab: "all" }) })
  return (
    <ListPage>
      <PageHeader
        title="Run billing"
        subtitle="Bill every policy for the month, including corrections for earlier months"
        actions={run.data && <RunActions run={run.data} />}
      />
      {runs.isError && !runs.data ? (
        <LoadFailed
          error={runs.error}
          onRetry={runs.refetch}
          busy={runs.isFetching}
          title="Failed to load premium runs"
        />
      ) : (
        runs.data && (
          <div className={`${classes.choices} ${classes.top}`}>
            <NewRun key={runs.data.nextMonth} {...runs.data} onStarted={(started) => show(started.id)} />
            {runs.data.rows.length > 0 && (
              <Select
                label="Run"
                w={270}
                allowDeselect={false}
                value={shown ?? null}
                data={runs.data.rows.map(({ id, number, month }) => ({
                  value: id,
                  label: `${formatMonth(month)}, ${number}`,
                }))}
                onChange={(id) => id && show(id)}
              />
            )}
          </div>
        )
      )}
      {run.isError && !run.data && (
        <LoadFailed
          error={run.error}
          onRetry={run.refetch}
          busy={run.isFetching}
          title="Failed to load the premium run"
        />
      )}
      {run.data && <Run key={run.data.id} run={run.data} />}
      {runs.data?.rows.length === 0 && !shown && (
        <p className={classes.words}>
          No premium runs yet. A preview changes nothing: it shows the amount to bill for each policy.
        </p>
      )}
    </ListPage>
  )
}

function NewRun(props: { nextMonth: string; lastMonth: string; onStarted: (run: BillingRunDetail) => void }) {
  const [month, setMonth] = useState(props.nextMonth)
  const { start } = useRunCommands()
  const months = Array.from({ length: 25 }, (_, back) => addMonths(props.lastMonth, -back))
  return (
    <div className={classes.choices}>
      <Select
        label="Month to bill"
        w={150}
        allowDeselect={false}
        value={month}
        data={months.map((first) => ({ value: first, label: formatMonth(first) }))}
        onChange={(first) => first && setMonth(first)}
      />
      <Button
        variant="default"
        loading={start.isPending}
        onClick={() => start.mutate({ idempotencyKey: newKey(), month }, { onSuccess: props.onStarted })}
      >
        Preview {formatMonth(month)}
      </Button>
    </div>
  )
}

const createColumns = (open: (row: RunPolicyRow) => void) =>
  columnsOf<RunPolicyRow, typeof runPoliciesList>(runPoliciesList, {
    groupName: {
      width: 210,
      cell: (row) => (
        <span className={`${classes.group} ${classes.name}`}>
          {row.groupName}
          {row.marks.map((mark) => (
            <StatusBadge key={mark} status="warning" label={runMarkNames[mark]} />
          ))}
        </span>
      ),
    },
    state: {
      width: 190,
      cell: (row) => (
        <span className={classes.group}>
          <StatusBadge status={row.state === "parked" ? "failed" : row.state} label={runPolicyStateNames[row.state]} />
          {row.reason && <span className={classes.words}>{row.reason}</span>}
          <MendAction row={row} />
        </span>
      ),
    },
    members: { width: 84 },
    adjustment: { cell: ({ adjustmentCents: cents }) => (cents === 0 ? "–" : <MoneyText cents={cents} />) },
    total: {
      cell: (row) =>
        row.state === "nothing" ? (
          "–"
        ) : (
          <button type="button" className={classes.amount} onClick={() => open(row)}>
            <MoneyText cents={row.totalCents} />
            <span className="visually-hidden">, lines of {row.policyNumber}</span>
          </button>
        ),
    },
    change: { width: 116, cell: (row) => <RunChangeText row={row} /> },
    percent: { header: "Change (%)", width: 90, hidden: true },
  })

function MendAction({ row }: { row: RunPolicyRow }) {
  if (row.invoiceId || row.creditNotes > 0)
    return (
      <>
        {row.invoiceId && (
          <Link to="/invoices/$invoiceId" params={{ invoiceId: row.invoiceId }}>
            {row.invoiceNumber}
          </Link>
        )}
        {row.creditNotes > 0 && (
          <Link to="/invoices/credit-notes" search={{ policyId: row.policyId }}>
            {row.creditNotes === 1 ? "1 credit note" : `${row.creditNotes} credit notes`}
          </Link>
        )}
        {row.unmailed > 0 && <span className={classes.words}>Not emailed</span>}
      </>
    )
  if (row.mendInvoiceId)
    return (
      <Link to="/invoices/$invoiceId" params={{ invoiceId: row.mendInvoiceId }}>
        Open {row.mendInvoiceNumber}
      </Link>
    )
  if (row.state !== "parked" || row.reasonKind === "failed" || row.reasonKind === "credit") return null
  return (
    <Link to="/policies/$policyId" params={{ policyId: row.policyId }}>
      Open policy
    </Link>
  )
}

function unsentHint({ unsent, unmailed }: BillingRunDetail["counts"]): { hint?: string } {
  const notes = unmailed === 1 ? "1 credit note not emailed" : `${unmailed} credit notes not emailed`
  const hint = [unsent > 0 && `${unsent} not sent`, unmailed > 0 && notes].filter(Boolean).join(", ")
  return hint ? { hint } : {}
}

function Run({ run }: { run: BillingRunDetail }) {
  // Excludes `runId`, so clearing filters keeps the run.
  const { runId: _, ...search } = Route.useSearch()
  const list = useListPlace(search)
  const queryClient = useQueryClient()
  const refresh = useCallback(() => void refreshModule(queryClient, "billing"), [queryClient])
  const { leaveOut } = useRunCommands()
  const [open, setOpen] = useState<RunPolicyRow>()
  const [shownColumns] = useState(() => createColumns(setOpen))
  const { counts, totals, status } = run
  const card = (tab: "waiting" | "parked" | "made" | "left_out") => ({
    active: list.search.tab === tab,
    link: linkOptions({
      to: "/invoices/run",
      search: { ...search, runId: run.id, page: 1, tab: search.tab === tab ? "all" : tab },
    }),
  })
  const setLeftOut = (rowIds: string[], isLeftOut: boolean) =>
    leaveOut.mutateAsync({ runId: run.id, rowIds, isLeftOut })
  const bulk = (label: string, isLeftOut: boolean): BulkAction<typeof list.search> => ({
    label,
    run: (selection) => ("ids" in selection ? setLeftOut(selection.ids, isLeftOut) : false),
  })
  const mayLeaveOut = run.allowedActions.includes("leaveOut")
  const actions = (row: RunPolicyRow): RowAction[] => [
    ...(row.state === "nothing" ? [] : [{ label: "Show lines", onClick: () => setOpen(row) }]),
    { label: "View policy", link: linkOptions({ to: "/policies/$policyId", params: { policyId: row.policyId } }) },
    ...(mayLeaveOut && row.state === "waiting"
      ? [{ label: "Leave out", onClick: () => void setLeftOut([row.id], true) }]
      : []),
    ...(mayLeaveOut && row.state === "left_out"
      ? [{ label: "Include again", onClick: () => void setLeftOut([row.id], false) }]
      : []),
  ]
  const table = tableOf<RunPolicyRow>(runPoliciesList)
  return (
    <>
      {run.job ? (
        <JobProgress key={run.job.id} jobId={run.job.id} onDone={refresh} />
      ) : (
        (status === "previewing" || status === "making") && (
          <p className={classes.words}>Someone else started this. It is in progress.</p>
        )
      )}
      <SummaryCards
        cards={[
          counts.made > 0
            ? { label: "Policies billed", value: counts.made, ...card("made") }
            : { label: "Policies to bill", value: counts.waiting, ...card("waiting") },
          { label: "Cannot be billed", value: counts.parked, ...card("parked") },
          { label: "Excl. VAT", value: <MoneyText cents={totals.netCents} /> },
          {
            label: "Incl. VAT",
            value: <MoneyText cents={totals.totalCents} />,
            ...unsentHint(counts),
          },
        ]}
      />
      {status === "previewed" && <RunEarlierMonths run={run} canStart />}
      <DataTable
        {...table}
        filters={table.filters.filter(({ name }) => name !== "runId")}
        list={list}
        query={(search) => api.billing.runs.policies.queryOptions({ input: { ...search, runId: run.id } })}
        exportFrom={{ path: "/api/billing-run-policies", input: (asked) => ({ ...asked, runId: run.id }) }}
        columns={shownColumns}
        rowId={(row) => row.id}
        rowName={(row) => `${row.groupName}, ${row.policyNumber}`}
        rowActions={actions}
        {...(mayLeaveOut && { bulkActions: [bulk("Leave out", true), bulk("Include again", false)] })}
        pageTotal={{ label: "Incl. VAT", of: (row) => row.totalCents }}
        empty={{ title: status === "previewing" ? "Preparing the preview" : "No policies to bill" }}
        noMatch="No policies match."
        failed="Failed to load the premium run"
      />
      {open && <RunLinesDialog run={run} row={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}
