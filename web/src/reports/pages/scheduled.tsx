import { ActionIcon, Anchor, Button, Switch, Text } from "@mantine/core"
import { type ReportId, reportOf } from "@milkwood/domain/reports/catalogue"
import { reportFormatNames } from "@milkwood/domain/reports/report"
import type { DeliveryKind } from "@milkwood/domain/reports/report-delivery"
import { describeTimes } from "@milkwood/domain/reports/report-schedule"
import type { ReportSchedule } from "@milkwood/domain/reports/report-schedule-shape"
import { IconDots } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link } from "@tanstack/react-router"
import { lazy, Suspense, useState } from "react"
import { newKey } from "../../platform/api.ts"
import { useConfirm } from "../../ui/confirm.tsx"
import { InstantText } from "../../ui/day.tsx"
import { EmptyState } from "../../ui/empty-state.tsx"
import { addressParameters, flagReader } from "../../ui/list-address.ts"
import { PageHeader } from "../../ui/page-header.tsx"
import { ActionMenu } from "../../ui/popups.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import classes from "../catalogue.module.css"
import { QueryList } from "../own-list.tsx"
import { ReportTabs } from "../report-tabs.tsx"
import { schedulesQuery, useScheduleCommands } from "../reports.api.ts"

const deliveryNames: Record<DeliveryKind, string> = { attachment: "attachment", link: "link", refused: "not sent" }

const ScheduleDialog = lazy(() => import("../schedule-dialog.tsx"))

export const Route = createFileRoute("/_app/reports/scheduled")({
  ...addressParameters({ failed: flagReader }),
  staticData: { permission: "reports.read" },
  component: ScheduledPage,
})

function ScheduledPage() {
  const { failed } = Route.useSearch()
  const query = useQuery(schedulesQuery(failed))
  const [opened, setOpened] = useState<"new" | ReportSchedule>()
  return (
    <>
      <PageHeader
        title="Reports & Analytics"
        actions={<Button onClick={() => setOpened("new")}>New Schedule</Button>}
      />
      <ReportTabs at="scheduled" />
      {failed && (
        <Text size="sm" mb="sm">
          Only failed schedules are shown.{" "}
          <Anchor component={Link} to="/reports/scheduled" size="sm">
            Show all schedules
          </Anchor>
        </Text>
      )}
      <QueryList
        label="Scheduled Reports"
        query={query}
        failed="Failed to load scheduled reports."
        empty={
          failed ? (
            <EmptyState title="No failed schedules">All scheduled reports ran as planned.</EmptyState>
          ) : (
            <EmptyState title="No scheduled reports yet">
              A schedule generates a report at set times and sends it to the recipients you choose.
            </EmptyState>
          )
        }
      >
        {(schedule) => <Schedule key={schedule.id} schedule={schedule} onEdit={() => setOpened(schedule)} />}
      </QueryList>
      <Suspense>
        {opened && (
          <ScheduleDialog {...(opened !== "new" && { schedule: opened })} onClose={() => setOpened(undefined)} />
        )}
      </Suspense>
    </>
  )
}

function Schedule({ schedule, onEdit }: { schedule: ReportSchedule; onEdit: () => void }) {
  const { toggle, remove, run } = useScheduleCommands()
  const confirm = useConfirm()
  const { id: scheduleId, version, name, isActive, allowedActions, lastRun } = schedule
  const may = (action: (typeof allowedActions)[number]) => allowedActions.includes(action)
  const askDelete = () =>
    confirm({
      title: "Delete schedule",
      body: "Are you sure you want to delete this schedule?",
      confirm: "Delete schedule",
      danger: true,
      action: () => remove.mutateAsync({ scheduleId }),
    })
  const runNow = (isTest: boolean) => run.mutate({ scheduleId, isTest, idempotencyKey: newKey() })
  const actions = [
    ...(may("edit") ? [{ label: "Edit schedule", onClick: onEdit }] : []),
    ...(may("runNow") ? [{ label: "Run now", onClick: () => runNow(false) }] : []),
    ...(may("test") ? [{ label: "Send me a test", onClick: () => runNow(true) }] : []),
    ...(may("delete") ? [{ label: "Delete schedule", danger: true, onClick: () => void askDelete() }] : []),
  ]
  return (
    <li className={classes.report}>
      <div className={classes.words}>
        <div className={classes.line} style={{ justifyContent: "flex-start" }}>
          <h2 className={classes.name}>{name}</h2>
          <StatusBadge status={isActive ? "active" : "paused"} />
          {lastRun?.state === "failed" && <StatusBadge status="failed" />}
        </div>
        <p className={classes.description}>
          {schedule.customName ?? reportOf(schedule.report as ReportId).name} ({reportFormatNames[schedule.format]}) ·{" "}
          {describeTimes(schedule)} · {schedule.ownerName}
        </p>
        {schedule.description && <p className={classes.description}>{schedule.description}</p>}
        <p className={classes.last}>
          To {schedule.deliveries.map(({ address, kind }) => `${address} (${deliveryNames[kind]})`).join(", ")}
        </p>
        <p className={classes.last}>
          {isActive && (
            <>
              Next run: <InstantText at={schedule.nextRunAt} /> ·{" "}
            </>
          )}
          Last run: {schedule.lastRunAt ? <InstantText at={schedule.lastRunAt} /> : "never"}
          {lastRun?.message && ` · ${lastRun.message}`}
        </p>
        {schedule.pausedBecause && <p className={classes.last}>{schedule.pausedBecause}</p>}
      </div>
      {(may("pause") || may("activate")) && (
        <Switch
          aria-label={`${name} is active`}
          checked={isActive}
          disabled={toggle.isPending}
          onChange={(event) => toggle.mutate({ scheduleId, version, isActive: event.currentTarget.checked })}
        />
      )}
      {actions.length > 0 && (
        <ActionMenu
          button={
            <ActionIcon variant="subtle" color="gray" size={30} aria-label={`Actions for ${name}`}>
              <IconDots size={16} />
            </ActionIcon>
          }
          actions={actions}
        />
      )}
    </li>
  )
}
