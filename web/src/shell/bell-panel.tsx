import { Button, Popover } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { cloneElement } from "react"
import { NotificationLine } from "../notifications/notification-line.tsx"
import { latestQuery, useMarkAllNotifications } from "../notifications/notifications.api.ts"
import lines from "../notifications/notifications.module.css"
import { EmptyState } from "../ui/empty-state.tsx"
import { JobLine } from "../ui/job-progress.tsx"
import type { PopupProps } from "../ui/lazy-popup.tsx"
import { LoadFailed } from "../ui/load-failed.tsx"
import classes from "./bell.module.css"
import { useJobs } from "./bell.tsx"

/** Closing the panel marks finished jobs as seen. */
export default function BellPanel({ button, opened, onChange }: PopupProps) {
  const { query: work, markSeen } = useJobs()
  const latest = useQuery(latestQuery())
  const markAll = useMarkAllNotifications()
  const change = (next: boolean) => {
    onChange(next)
    if (!next) markSeen()
  }
  const close = () => change(false)
  const { rows = [], unread = 0 } = latest.data ?? {}
  const jobs = work.data ?? []
  const failed = [latest, work].find(({ isError, data }) => isError && !data)
  return (
    <Popover opened={opened} onChange={change} position="bottom-end" shadow="md" width={380} trapFocus returnFocus>
      <Popover.Target>{cloneElement(button, { onClick: () => change(!opened) })}</Popover.Target>
      <Popover.Dropdown p={0} aria-label="Notifications" maw="100vw">
        <div className={classes.head} tabIndex={-1} data-autofocus>
          <span>Notifications</span>
          {unread > 0 && (
            <Button
              variant="subtle"
              size="compact-sm"
              disabled={markAll.isPending}
              onClick={() => markAll.mutate({ upTo: rows[0]!.id })}
            >
              Mark all as read
            </Button>
          )}
        </div>
        <div className={classes.list}>
          {failed && <LoadFailed error={failed.error} onRetry={failed.refetch} busy={failed.isFetching} />}
          {rows.length > 0 && (
            <ul className={lines.list}>
              {rows.map((notification) => (
                <NotificationLine key={notification.id} notification={notification} onFollow={close} />
              ))}
            </ul>
          )}
          {jobs.length > 0 && (
            <section aria-label="Your background work">
              <h2 className={classes.heading}>Your background work</h2>
              {jobs.map((job) => (
                <JobLine key={job.id} job={job} onFollow={close} />
              ))}
            </section>
          )}
          {latest.data && work.data && rows.length + jobs.length === 0 && (
            <EmptyState title="Nothing yet">
              Notifications appear here, with your imports, premium runs and other background work.
            </EmptyState>
          )}
        </div>
        <div className={classes.foot}>
          <Link to="/notifications" onClick={close}>
            All notifications
          </Link>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
