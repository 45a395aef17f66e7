import { Button, Skeleton } from "@mantine/core"
import { formatMonth } from "@milkwood/domain/kernel/calendar"
import type { EmployerStanding } from "@milkwood/domain/reports/reports.contract"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { api } from "../platform/api.ts"
import { useSession } from "../platform/session.ts"
import { templateHref } from "../staff-lists/staff-lists.api.ts"
import { DayText, InstantText } from "../ui/day.tsx"
import { useDisplay } from "../ui/display.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import { MoneyText } from "../ui/money.tsx"
import classes from "./dashboard.module.css"

export default function EmployerPanel() {
  const { can } = useSession()
  const { today } = useDisplay()
  const query = useQuery(api.reports.employerStanding.queryOptions({ input: {} }))
  return (
    <section className={classes.panel} aria-labelledby="standing">
      <h2 id="standing" className={classes.heading}>
        Your scheme
      </h2>
      {query.isError && !query.data ? (
        <LoadFailed
          error={query.error}
          onRetry={query.refetch}
          busy={query.isFetching}
          title="Failed to load your account"
        />
      ) : query.data ? (
        <dl className={classes.facts}>
          <MemberFigures {...query.data.members} />
          <div>
            <dt>Invoice for {formatMonth(today)}</dt>
            <InvoiceFigures {...query.data} />
          </div>
          <OwedFigures {...query.data} />
          {can("members.import") && <NextStaffList last={query.data.lastStaffList} toSend={query.data.listsToSend} />}
        </dl>
      ) : (
        <Skeleton height={72} />
      )}
    </section>
  )
}

function MemberFigures({ active, pending, suspended }: EmployerStanding["members"]) {
  const others = [pending > 0 && `${pending} pending`, suspended > 0 && `${suspended} suspended`].filter(Boolean)
  return (
    <div>
      <dt>Members</dt>
      <dd>
        <Link to="/members" search={{ tab: "Active" }} className={classes.figure}>
          {active.toLocaleString("en-ZA")} active
        </Link>
        {others.length > 0 && <div className={classes.small}>{others.join(", ")}</div>}
      </dd>
    </div>
  )
}

function InvoiceFigures({ invoices, invoiceCount }: Pick<EmployerStanding, "invoices" | "invoiceCount">) {
  if (invoices.length === 0) return <dd className={classes.small}>Not sent yet.</dd>
  return (
    <>
      {invoices.map(({ id, number, groupName, totalCents, openCents, dueOn }) => (
        <dd key={id}>
          <Link to="/invoices/$invoiceId" params={{ invoiceId: id }}>
            {number}
          </Link>{" "}
          <MoneyText cents={totalCents} />
          <div className={classes.small}>
            {invoiceCount > 1 && `${groupName}, `}
            {openCents === 0 ? (
              "settled"
            ) : (
              <>
                <MoneyText cents={openCents} /> open, due <DayText day={dueOn} />
              </>
            )}
          </div>
        </dd>
      ))}
      {invoiceCount > invoices.length && (
        <dd>
          <Link to="/invoices">All {invoiceCount} invoices</Link>
        </dd>
      )}
    </>
  )
}

function OwedFigures({ owedCents, overdueCents }: Pick<EmployerStanding, "owedCents" | "overdueCents">) {
  return (
    <div>
      <dt>You owe</dt>
      <dd>
        <Link to="/invoices" search={{ tab: "unpaid" }} className={classes.figure}>
          <MoneyText cents={owedCents} />
        </Link>
        <div className={classes.small}>
          {overdueCents > 0 ? (
            <>
              <MoneyText cents={overdueCents} /> overdue
            </>
          ) : (
            "Nothing is overdue"
          )}
        </div>
      </dd>
    </div>
  )
}

function NextStaffList({
  last,
  toSend,
}: {
  last: EmployerStanding["lastStaffList"]
  toSend: EmployerStanding["listsToSend"]
}) {
  return (
    <div className={classes.wide}>
      <dt>Next staff list</dt>
      <dd>
        {toSend.map(({ policyId, policyNumber, month, dueOn, state }) => (
          <div key={policyId}>
            <Link to="/members/import" search={{ policyId }}>
              Your staff list of {formatMonth(month)}
            </Link>
            {toSend.length > 1 && ` for ${policyNumber}`} {state === "late" ? "was" : "is"} due on{" "}
            <DayText day={dueOn} />.
          </div>
        ))}
        <div className={classes.small}>
          Upload your full payroll list. Milkwood finds joiners, changes and leavers; nothing changes until you have
          reviewed them. <a href={templateHref}>Template</a>
        </div>
        <div className={classes.small}>
          {last ? (
            <>
              Last imported: {last.fileName}, <InstantText at={last.at} show="day" />
            </>
          ) : (
            "No list has been imported yet."
          )}
        </div>
        <Button
          size="compact-sm"
          variant="default"
          mt={4}
          renderRoot={(props) => <Link {...props} to="/members/import" />}
        >
          Import staff list
        </Button>
      </dd>
    </div>
  )
}
