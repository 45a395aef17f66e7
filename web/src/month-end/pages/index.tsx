import { Button, Select } from "@mantine/core"
import { addDays, formatMonth, isoMonthOf, lastOfMonth } from "@milkwood/domain/kernel/calendar"
import { blockingChecks, checkTitles } from "@milkwood/domain/month-end/checklist"
import type { ClosingRow, MonthDetail } from "@milkwood/domain/month-end/month-end.contract"
import { IconDownload, IconRefresh } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link, linkOptions } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { DayText, InstantText } from "../../ui/day.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { addressParameters, monthReader } from "../../ui/list-address.ts"
import { LoadFailed } from "../../ui/load-failed.tsx"
import { PageHeader } from "../../ui/page-header.tsx"
import { RecordLoading } from "../../ui/record-page.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { CheckList } from "../check-list.tsx"
import { monthQuery, useMonthEndCommands } from "../month-end.api.ts"
import classes from "../month-end.module.css"
import { monthsUpTo } from "../months.ts"

const CloseDialog = lazy(() => import("../close-dialog.tsx"))
const ReasonDialog = lazy(() => import("../../ui/reason-dialog.tsx"))

export const Route = createFileRoute("/_app/finance/month-end")({
  ...addressParameters({ month: monthReader }),
  staticData: { permission: "monthEnd.read" },
  component: MonthEndPage,
})

function MonthEndPage() {
  const { month: asked } = Route.useSearch()
  const navigate = Route.useNavigate()
  const { today } = useDisplay()
  const detail = useQuery({
    ...monthQuery(asked && `${asked}-01`),
    // Polls for the checklist: no event announces it.
    refetchInterval: ({ state }) => (state.data?.closings.some(({ sha256 }) => sha256 === null) ? 2_000 : false),
  })
  const month = detail.data?.month
  const months = monthsUpTo(today)
  return (
    <>
      <PageHeader
        title="Month end"
        subtitle="Checks to complete before a month closes. A closed month cannot change."
        badge={detail.data && <StateBadge detail={detail.data} />}
        actions={
          <>
            <Select
              aria-label="Month"
              w={170}
              allowDeselect={false}
              value={month ?? null}
              data={(month && !months.includes(month) ? [month, ...months] : months).map((first) => ({
                value: first,
                label: formatMonth(first),
              }))}
              onChange={(first) => first && void navigate({ search: { month: isoMonthOf(first) } })}
            />
            {detail.data && <MonthActions detail={detail.data} />}
          </>
        }
      />
      {detail.data ? (
        <Month detail={detail.data} busy={detail.isFetching} onCheck={() => void detail.refetch()} />
      ) : detail.isPending ? (
        <RecordLoading words="Loading the checklist..." />
      ) : (
        <LoadFailed
          title="Failed to load the month"
          error={detail.error}
          onRetry={detail.refetch}
          busy={detail.isFetching}
        />
      )}
    </>
  )
}

const StateBadge = ({ detail: { state } }: { detail: MonthDetail }) => (
  <StatusBadge status={state === "closed" ? "done" : "pending"} label={state === "closed" ? "Closed" : "Open"} />
)

function MonthActions({ detail }: { detail: MonthDetail }) {
  const { month, checks, allowedActions } = detail
  const [asking, setAsking] = useState<"close" | "reopen">()
  const { reopen } = useMonthEndCommands()
  const done = () => setAsking(undefined)
  return (
    <>
      <Button
        variant="default"
        component={Link}
        {...(linkOptions({ to: "/finance/month-end/bank", search: { month: isoMonthOf(month) } }) as object)}
      >
        Bank reconciliation
      </Button>
      <Button
        variant="default"
        component={Link}
        {...(linkOptions({ to: "/finance/month-end/vat", search: { month: isoMonthOf(month) } }) as object)}
      >
        VAT for the month
      </Button>
      {allowedActions.includes("close") && blockingChecks(checks).length === 0 && (
        <Button onClick={() => setAsking("close")}>Close month</Button>
      )}
      {allowedActions.includes("reopen") && (
        <Button variant="default" onClick={() => setAsking("reopen")}>
          Reopen
        </Button>
      )}
      <Suspense fallback={null}>
        {asking === "close" && <CloseDialog detail={detail} onClose={done} />}
        {asking === "reopen" && (
          <ReasonDialog
            title={`Reopen ${formatMonth(month)}`}
            submit="Reopen month"
            danger
            words={`Entries can be posted to ${formatMonth(month)} again. The signed checklist stays on record.`}
            maxLength={500}
            save={(given) => reopen.mutateAsync({ month, ...given })}
            onClose={done}
          />
        )}
      </Suspense>
    </>
  )
}

function Month(props: { detail: MonthDetail; busy: boolean; onCheck: () => void }) {
  const { month, state, closedTo, next, checks, closings, allowedActions } = props.detail
  const blocking = allowedActions.includes("close") ? blockingChecks(checks) : []
  const { today } = useDisplay()
  const end = lastOfMonth(month)
  return (
    <>
      <div className={classes.head}>
        <p className={classes.words}>
          {closedTo === null ? (
            "No month is closed yet. The first closing also closes all earlier months."
          ) : (
            <>
              Closed up to <DayText day={closedTo} />. Late entries are posted on <DayText day={addDays(closedTo, 1)} />{" "}
              or later.
            </>
          )}
          {blocking.length > 0 &&
            ` ${formatMonth(month)} can be closed once ${blocking.length === 1 ? "this check passes" : "these checks pass"}: ${blocking.map(({ key }) => checkTitles[key]).join("; ")}.`}
          {state === "open" && next !== null && month !== next && ` Close ${formatMonth(next)} first.`}
          {state === "open" && Boolean(today) && today <= end && (
            <>
              {" "}
              {formatMonth(month)} can be closed from <DayText day={addDays(end, 1)} />.
            </>
          )}
        </p>
        {state === "open" && (
          <Button
            variant="subtle"
            size="compact-sm"
            loading={props.busy}
            leftSection={<IconRefresh size={14} aria-hidden />}
            onClick={props.onCheck}
          >
            Check again
          </Button>
        )}
      </div>
      {checks.length > 0 ? (
        <CheckList month={month} checks={checks} />
      ) : (
        <p className={classes.words}>This month was closed as part of the first closing.</p>
      )}
      {closings.length > 0 && (
        <ul className={classes.closings} aria-label="Closings">
          {closings.map((closing) => (
            <Closing key={closing.id} closing={closing} />
          ))}
        </ul>
      )}
    </>
  )
}

function Closing({ closing }: { closing: ClosingRow }) {
  const { id, closedAt, closedByName, reopenedAt, reopenedByName, reopenReason, sha256, reconciliationSha256 } = closing
  return (
    <li>
      <span>
        Closed by {closedByName}, <InstantText at={closedAt} />
        {reopenedAt && (
          <>
            ; reopened by {reopenedByName}, <InstantText at={reopenedAt} />: {reopenReason}
          </>
        )}
      </span>
      {sha256 === null ? (
        "The checklist is being created."
      ) : (
        <Button
          component="a"
          href={`/api/month-end/${id}/checklist`}
          download
          size="compact-xs"
          variant="default"
          title={`SHA-256 ${sha256}`}
          leftSection={<IconDownload size={12} aria-hidden />}
        >
          Checklist as PDF
        </Button>
      )}
      {reconciliationSha256 !== null && (
        <Button
          component="a"
          href={`/api/month-end/${id}/bank/pdf`}
          download
          size="compact-xs"
          variant="default"
          title={`SHA-256 ${reconciliationSha256}`}
          leftSection={<IconDownload size={12} aria-hidden />}
        >
          Bank reconciliation as PDF
        </Button>
      )}
    </li>
  )
}
